import { legacy, modern } from '../mcp/endpoint.ts';
import type { Random } from '../soak/random.ts';
import { type Asked, JSON_TYPE, post } from './asked.ts';
import { lateFee, notice, pack, quote, report, spoilt, tools, type Values } from './values.ts';

/** A call of a tool, sometimes corrupted. */
export function tool(random: Random): { name: string; arguments: unknown } {
  const kinds = {
    quote_totals: quote,
    late_fee: lateFee,
    list_tools: tools,
    late_fee_notice: notice,
    quote_pack: pack,
  };
  const [name, make] = random.pick(
    Object.entries({ ...kinds, small_business_stack_report: report, pricing: () => ({}) }),
  );
  const values = make(random);
  return { name, arguments: random.chance(0.35) ? spoilt(values, random) : values };
}

/** A message in one of the revisions of the protocol. */
export function inEra(method: string, params: Values, random: Random): Asked {
  if (random.chance(0.5))
    return post('/mcp', legacy(method, params), {
      ...JSON_TYPE,
      'mcp-protocol-version': random.pick(['2025-11-25', '2025-06-18', '2025-03-26']),
    });
  const { body, headers } = modern(method, params);
  return post('/mcp', body, { ...JSON_TYPE, ...headers });
}

/** Messages that are wrong, or nearly wrong. */
export function oddMessage(random: Random): Asked {
  const { name, arguments: values } = tool(random);
  const call = { name, arguments: values };
  const [method, params] = random.pick<readonly [string, unknown]>([
    ['tools/call', { name: 'nothing', arguments: {} }],
    ['tools/call', { name }],
    ['tools/call', { arguments: values }],
    ['tools/call', { name, arguments: null }],
    ['tools/call', { name, arguments: [1] }],
    ['tools/call', { name, arguments: 'x' }],
    ['tools/call', { name: 5, arguments: {} }],
    ['tools/call', { ...call, extra: 1 }],
    ['tools/call', { ...call, _meta: { progressToken: 'p1' } }],
    ['tools/call', { ...call, _meta: { progressToken: {} } }],
    ['tools/call', { ...call, _meta: 5 }],
    ['tools/call', { ...call, task: { ttl: 5 } }],
    ['tools/call', { ...call, _meta: { 'x402/payment': { x402Version: 2 } } }],
    ['tools/call', undefined],
    ['tools/list', { cursor: 'x' }],
    ['tools/list', { cursor: 5 }],
    ['tools/list', { other: 5 }],
    ['tools/list', undefined],
    ['ping', {}],
    [
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    ],
    ['initialize', {}],
    ['server/discover', {}],
    ['resources/list', {}],
    ['notifications/initialized', {}],
    ['logging/setLevel', { level: 'debug' }],
  ]);
  const id = random.pick([1, 1, 1, 1, 'a', 'b', 0, -5, 1.5, null, undefined, {}, 2 ** 53]);
  const version = random.pick(['2.0', '2.0', '2.0', '2.0', '2.0', '2.0', '2.0', '1.0', undefined]);
  const isModern = random.chance(0.4);
  const whole = isModern ? modern(method, (params ?? {}) as Values) : { body: legacy(method), headers: {} };
  const message = { ...whole.body, jsonrpc: version, id, ...(isModern ? {} : { params }) };
  const spoiling: Record<string, string>[] = [
    ...Array.from({ length: 9 }, () => ({})),
    { 'mcp-protocol-version': '2025-01-01' },
    { 'mcp-method': 'ping' },
    { 'mcp-name': 'other' },
    { 'mcp-name': '=?base64?cXVvdGVfdG90YWxz?=' },
    { origin: 'https://evil.example' },
    { accept: 'text/event-stream' },
  ];
  const text = random.chance(0.93) ? JSON.stringify(message) : random.pick(['{', '[]', 'null', '5']);
  return post('/mcp', text, { ...JSON_TYPE, ...whole.headers, ...random.pick(spoiling) });
}
