import type { Asked } from './asked.ts';

// Requests and answers in a readable form for diffs: JSON is indented, base64 is decoded, and a multi-line text takes
// several lines. Anything that would not convert back to the same bytes stays unchanged.

const WIDTH = 110;

/** A character that is repeated a hundred times or more is written once with its count. */
const elided = (text: string): string =>
  text.replace(/(.)\1{99,}/gsu, (run, one: string) => `${one}…(${run.length / one.length} times)`);

/** Lines without characters that a file cannot hold, such as a carriage return. */
const linesOf = (text: string): string[] =>
  elided(text)
    .split('\n')
    .map((line) => JSON.stringify(line).slice(1, -1).replaceAll('\\"', '"'));

const inline = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return elided(JSON.stringify(value) ?? 'undefined');
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
};

const isSeveralLines = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\n')
    : typeof value === 'object' && value !== null && Object.values(value).some(isSeveralLines);

/** Writes a JSON value on one line if it fits; a multi-line text has one quoted line for each of its lines. */
function setOut(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (typeof value === 'string' && value.includes('\n'))
    return ['"""', ...linesOf(value).map((line) => `${deeper}${line}`.trimEnd()), `${deeper}"""`].join('\n');
  const short = inline(value);
  if (typeof value !== 'object' || value === null) return short;
  if (indent.length + short.length <= WIDTH && !isSeveralLines(value)) return short;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(([name, member]) =>
    Array.isArray(value)
      ? `${deeper}${setOut(member, deeper)}`
      : `${deeper}${JSON.stringify(name)}: ${setOut(member, deeper)}`,
  );
  return [open, ...members, `${indent}${close}`].join('\n');
}

/** The value of a JSON text; undefined if it is not JSON or would serialize differently. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function decoded(base64: string): Record<string, unknown> | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const value = bytes.toString('base64') === base64 ? jsonOf(bytes.toString()) : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a decoded header that are not also in the body. */
const besideBody = (header: Record<string, unknown>, body: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(header).map(([name, member]) => {
      const isLong = isRecord(member) || Array.isArray(member);
      const isTheSame = isRecord(body) && JSON.stringify(body[name]) === JSON.stringify(member);
      return [name, isLong && isTheSame ? '(as in the body)' : member];
    }),
  );

/** The body of an MCP answer repeats its structured content as a text. */
function withoutRepeatedContent(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body.result)) return body;
  const { content, structuredContent } = body.result;
  if (!Array.isArray(content) || structuredContent === undefined) return body;
  const text = JSON.stringify(structuredContent);
  const told = content.map((part) =>
    isRecord(part) && part.text === text ? { ...part, text: '(structuredContent as JSON)' } : part,
  );
  return { ...body, result: { ...body.result, content: told } };
}

const bodyLines = (text: string): string => {
  const value = jsonOf(text);
  return value === undefined ? linesOf(text).join('\n') : setOut(withoutRepeatedContent(value));
};

const headerLine = (name: string, value: string, body: unknown): string => {
  const members = decoded(value);
  return `${name}: ${members ? setOut(besideBody(members, body)) : elided(value)}`;
};

/** A request: its line, its headers and its body. */
export function readableRequest({ method, path, headers, body }: Asked): string {
  const lines = Object.entries(headers).map(([name, value]) => headerLine(name, value, undefined));
  return [
    `${method} ${elided(path)}`,
    ...lines,
    ...(body === null || body === '' ? [] : ['', bodyLines(body)]),
  ].join('\n');
}

/** An answer from `player`. The length of its body follows from the body. */
export function readableAnswer(answer: string): string {
  const [head = '', ...rest] = answer.split('\n\n');
  const body = rest.join('\n\n');
  const [status, ...headers] = head.split('\n');
  const parsed = jsonOf(body);
  const lines = headers
    .filter((line) => !(body !== '' && line.startsWith('content-length: ')))
    .map((line) => {
      const at = line.indexOf(': ');
      return headerLine(line.slice(0, at), line.slice(at + 2), parsed);
    });
  return [status, ...lines, ...(body === '' ? [] : ['', bodyLines(body)])].join('\n');
}
