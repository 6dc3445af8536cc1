import type { Direct } from './direct.ts';
import { SERVER_NAME, SERVER_VERSION } from './identity.ts';
import type { Post } from './post.ts';
import type { ToolResult } from './problem-result.ts';
import { type Answer, INTERNAL, type RpcId, rpcError } from './rpc.ts';
import type { ServerParts } from './server.ts';
import type { ToolReply } from './tool-calls.ts';

type DirectAnswers = (direct: Direct, post: Post) => Promise<Answer> | null;

/**
 * Makes the answers to requests that need no SDK, byte for byte as the SDK writes them. The list is the SDK's first
 * answer with another id.
 */
export function createDirectAnswers(
  { tools, callTool }: ServerParts,
  throughSdk: (post: Post) => Promise<Answer>,
): DirectAnswers {
  const names = new Set(tools.map(({ name }) => name));
  const lists = new Map<boolean, Buffer>();

  async function list({ id, isModern }: Direct, post: Post): Promise<Answer> {
    const known = lists.get(isModern);
    if (known !== undefined) return { status: 200, text: Buffer.concat([known, Buffer.from(tail(id))]) };
    const answer = await throughSdk(post);
    const end = tail(id);
    const { text } = answer;
    if (typeof text === 'string' && text.startsWith('{"result":') && text.endsWith(end))
      lists.set(isModern, Buffer.from(text.slice(0, -end.length)));
    return answer;
  }

  async function call(direct: Direct & { method: 'tools/call' }, post: Post): Promise<Answer> {
    const { id, isModern, name, values } = direct;
    const reply = await callTool({ name, values, post });
    if (reply === 'failed' || reply === null) return rpcError(200, INTERNAL, { id });
    return { status: 200, text: `{"result":${written(reply, isModern)}${tail(id)}`, headers: reply.headers };
  }

  return (direct, post) => {
    if (direct.method === 'tools/list') return list(direct, post);
    return names.has(direct.name) ? call(direct, post) : null;
  };
}

const tail = (id: RpcId): string => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

const SERVER_META = { 'io.modelcontextprotocol/serverInfo': { name: SERVER_NAME, version: SERVER_VERSION } };

/** A result with its fields in the order of the SDK's schemas; an answer whose text is its JSON is serialized once. */
function written({ result, isJson }: ToolReply, isModern: boolean): string {
  const { content, structuredContent, isError, _meta } = result;
  const text = content[0]?.text ?? '';
  if (isJson && isError === undefined && _meta === undefined) {
    const more = isModern ? MODERN_MORE : '';
    return `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}${more}}`;
  }
  const said: Omit<ToolResult, '_meta'> = { content, ...(structuredContent && { structuredContent }) };
  const failed = isError && { isError };
  if (!isModern) return JSON.stringify({ ...(_meta && { _meta }), ...said, ...failed });
  const last = { ...failed, resultType: 'complete' };
  return JSON.stringify(
    _meta
      ? { _meta: { ..._meta, ...SERVER_META }, ...said, ...last }
      : { ...said, ...last, _meta: SERVER_META },
  );
}

const MODERN_MORE = `,"resultType":"complete","_meta":${JSON.stringify(SERVER_META)}`;
