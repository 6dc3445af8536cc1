/**
 * A request as `fetch` takes it.
 * @typedef {{ path: string, method?: string, headers?: Record<string, string>, body?: string }} Sent
 */

const BODY_BYTES = 65_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** As many copies of `part` as a body holds, between a beginning and an end. */
const filled = (begin, part, end, between = ',') => {
  const parts = [];
  let bytes = begin.length + end.length;
  for (let index = 0; ; index += 1) {
    const next = part(index);
    bytes += Buffer.byteLength(next) + between.length;
    if (bytes > BODY_BYTES) break;
    parts.push(next);
  }
  return `${begin}${parts.join(between)}${end}`;
};

const post = (path, body, headers = JSON_TYPE) => ({
  path,
  method: 'POST',
  headers,
  body,
});
const call = (body) => post('/mcp', body, { ...JSON_TYPE, accept: 'application/json, text/event-stream' });
const tool = (name, values) =>
  call(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${values}}}`);

// 800 code units, each of which may have to be reordered among the marks around it.
const marks = (units) => `a${'\u0316\u0301'.repeat(units / 2)}`;
const line = (description) => `{"description":"${description}","unit_price":1}`;
const items = (description, count = 100) =>
  `{"items":[${Array.from({ length: count }, () => line(description)).join(',')}]}`;
const unknown = filled('{', (index) => `"unit_pric${index}":1`, '}');
const unknownShort = filled('{', (index) => `"${index.toString(36)}":1`, '}');
// As many as a message holds with the text around them.
const manyKeys = unknownShort.slice(0, 60_000).replace(/,[^,]*$/, '}');
const unknownInItems = filled(
  '{"items":[{"unit_price":1,',
  (index) => `"quanti${index.toString(36)}":1`,
  '}]}',
);
const unknownInEach = `{"items":[${Array.from({ length: 100 }, (_, row) => `{${Array.from({ length: 40 }, (_, index) => `"q${row}_${index}":1`).join(',')}}`).join(',')}]}`;
const repeated = filled('{', () => '"amount":1', '}');
const deep = (open, close) => {
  const levels = Math.floor(BODY_BYTES / 2 / open.length) - 20;
  return `{"items":${open.repeat(levels)}${close.repeat(levels)}}`;
};
const objectsDeep = `{"items":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
const listText = JSON.stringify({ items: filled('[', () => '{}', ']') });
const emptyRows = `{"items":[${Array.from({ length: 100 }, () => '{}').join(',')}]}`;
const badRows = `{"items":[${Array.from({ length: 100 }, () => '{"unit_price":"x","quantity":"y","description":5}').join(',')}]}`;
const scalars = filled('{"items":[', () => '1', ']}');
const manyItems = filled('{"items":[', () => '{}', ']}');
const hugeNumber = `{"items":[{"unit_price":${'9'.repeat(BODY_BYTES - 60)}}]}`;
const hugeNumbers = filled('{"items":[', () => '{"unit_price":1e308}', ']}');
const longText = `{"items":[{"description":"${'x'.repeat(BODY_BYTES - 60)}","unit_price":1}]}`;
const escapes = `{"items":[{"description":"${'\\u0301'.repeat(10_000)}","unit_price":1}]}`;
const spaces = `{"items":[{"description":"${' '.repeat(BODY_BYTES - 60)}x","unit_price":1}]}`;
const needs = (word) => `{"needs":${JSON.stringify(word)}}`;
const formRows = (description, count) =>
  Array.from(
    { length: count },
    () => `items.description=${description}&items.quantity=x&items.unit_price=y`,
  ).join('&');
const formFields = filled('', () => 'items.unit_price=1', '', '&');
const formMarks = filled(
  '',
  () => `items.unit_price=1&items.description=${encodeURIComponent(marks(60))}`,
  '',
  '&',
);
const query = (path, part, bytes = 15_500) => {
  let text = `${path}?`;
  for (let index = 0; text.length < bytes; index += 1) text += `${part(index)}&`;
  return text.slice(0, bytes);
};
const manyHeaders = Object.fromEntries(
  Array.from({ length: 1_500 }, (_, index) => [`h${index.toString(36)}`, 'a']),
);
const meta = (values) =>
  call(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late_fee_notice","arguments":{"amount":5,"due_date":"2026-01-01"},"_meta":${values}}}`,
  );

/**
 * The most expensive requests of each kind.
 * @type {readonly (Sent & { name: string })[]}
 */
export const kinds = [
  { name: 'a quote pack of 100 lines', ...post('/v1/quote-pack', items('Garden work')) },
  { name: 'a quote pack of combining marks', ...post('/v1/quote-pack', items(marks(300))) },
  { name: 'a quote pack of 200 marks', ...post('/v1/quote-pack', items(marks(198))) },
  { name: 'a quote of combining marks', ...post('/v1/quote', items(marks(300))) },
  { name: 'a quote of 100 lines of letters', ...post('/v1/quote', items('e\u0301'.repeat(100))) },
  { name: 'marks in 16 lines at length', ...post('/v1/quote-pack', items(marks(790), 40)) },
  { name: 'unknown fields', ...post('/v1/quote', unknown) },
  { name: 'unknown fields, short', ...post('/v1/quote', unknownShort) },
  { name: 'unknown fields in a line', ...post('/v1/quote', unknownInItems) },
  { name: 'unknown fields in each line', ...post('/v1/quote', unknownInEach) },
  { name: 'unknown fields of a pack', ...post('/v1/quote-pack', unknownShort) },
  { name: 'repeated fields', ...post('/v1/quote', repeated) },
  { name: 'deep lists', ...post('/v1/quote', deep('[', ']')) },
  { name: 'deep objects', ...post('/v1/quote', objectsDeep) },
  { name: 'a list as text', ...post('/v1/quote', listText) },
  { name: 'empty lines', ...post('/v1/quote-pack', emptyRows) },
  { name: 'faulty lines', ...post('/v1/quote-pack', badRows) },
  { name: 'numbers for lines', ...post('/v1/quote', scalars) },
  { name: 'too many lines', ...post('/v1/quote', manyItems) },
  { name: 'a huge number', ...post('/v1/quote', hugeNumber) },
  { name: 'huge numbers', ...post('/v1/quote', hugeNumbers) },
  { name: 'a long text', ...post('/v1/quote', longText) },
  { name: 'escaped marks', ...post('/v1/quote', escapes) },
  { name: 'a text of spaces', ...post('/v1/quote', spaces) },
  { name: 'words of a report', ...post('/v1/stack-report', needs(marks(60_000 / 6))) },
  { name: 'many words of a report', ...post('/v1/stack-report', needs('ab,'.repeat(20_000))) },
  { name: 'a query of unknown names', path: query('/v1/late-fee', (index) => `amoun${index}=1`) },
  { name: 'a query of repeated names', path: query('/v1/late-fee', () => 'a') },
  {
    name: 'a query of marks',
    path: `/v1/late-fee-notice?amount=5&due_date=2026-01-01&client_name=${encodeURIComponent(marks(2_400))}`,
  },
  {
    name: 'a query of a long amount',
    path: `/v1/late-fee?due_date=2026-01-01&amount=${'+'.repeat(15_000)}5`,
  },
  { name: 'MCP: tools/list', ...call('{"jsonrpc":"2.0","id":1,"method":"tools/list"}') },
  { name: 'MCP: a quote pack of 100 lines', ...tool('quote_pack', items('Garden work')) },
  { name: 'MCP: a quote pack of marks', ...tool('quote_pack', items(marks(300))) },
  { name: 'MCP: unknown fields', ...tool('quote_totals', unknown.slice(0, -200).replace(/,[^,]*$/, '}')) },
  { name: 'MCP: faulty lines', ...tool('quote_pack', badRows) },
  {
    name: 'MCP: deep lists',
    ...tool(
      'quote',
      deep('[', ']')
        .replace('[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[', '[')
        .replace(']]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]', ']'),
    ),
  },
  { name: 'MCP: deep objects', ...tool('quote_totals', objectsDeep) },
  { name: 'MCP: many keys in _meta', ...meta(manyKeys) },
  { name: 'MCP: a payment of many keys', ...meta(`{"x402/payment":${manyKeys}}`) },
  {
    name: 'MCP: a payment of extensions',
    ...meta(`{"x402/payment":{"x402Version":2,"extensions":${manyKeys}}}`),
  },
  {
    name: 'MCP: many keys at the root',
    ...call(`{"jsonrpc":"2.0","id":1,"method":"ping",${manyKeys.slice(1)}`),
  },
  {
    name: 'MCP: initialize of many keys',
    ...call(
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":${manyKeys},"clientInfo":{"name":"x","version":"1"}}}`,
    ),
  },
  { name: 'MCP: a batch', ...call(filled('[', () => '{}', ']')) },
  { name: 'a page of 100 rows', path: '/quote?rows=100' },
  {
    name: 'a form of 100 rows asked for',
    ...post('/quote', `rows=100&${formRows('x'.repeat(100), 100)}`, FORM_TYPE),
  },
  { name: 'a form of 100 faulty rows', ...post('/quote', formRows('x', 100), FORM_TYPE) },
  {
    name: 'a form of 100 good rows',
    ...post(
      '/quote',
      Array.from({ length: 100 }, () => 'items.description=Lawn&items.unit_price=5').join('&'),
      FORM_TYPE,
    ),
  },
  { name: 'a form of marks', ...post('/quote-pack', formMarks, FORM_TYPE) },
  { name: 'a form of thousands of fields', ...post('/quote', formFields, FORM_TYPE) },
  {
    name: 'a form of unknown fields',
    ...post(
      '/quote',
      filled('', (index) => `${index}=`, '', '&'),
      FORM_TYPE,
    ),
  },
  { name: 'a page with a long text', path: `/late-invoice?amount=${'%26'.repeat(5_000)}` },
  { name: 'a page with many values', path: query('/quote', () => 'items.unit_price=x') },
  { name: 'a page of a pack', path: '/quote-pack?items.unit_price=5&items.description=x' },
  { name: 'nowhere, for people', path: `/${'a'.repeat(15_000)}`, headers: { accept: 'text/html' } },
  { name: 'nowhere, for programs', path: `/${'a/'.repeat(7_500)}` },
  { name: 'a long path of dots', path: `/v1/tools/${'%2e'.repeat(5_000)}` },
  {
    name: 'a document, odd Accept',
    path: '/',
    headers: {
      accept: Array.from({ length: 2_000 }, (_, index) => `a/${index}`)
        .join()
        .slice(0, 15_000),
    },
  },
  {
    name: 'a document, odd Accept-Encoding',
    path: '/openapi.json',
    headers: { 'accept-encoding': 'gzip;q=0.1,'.repeat(1_300) },
  },
  {
    name: 'a document, many tags',
    path: '/openapi.json',
    headers: { 'if-none-match': '"a",'.repeat(3_500) },
  },
  {
    name: 'the server card, many tags',
    path: '/mcp/server-card',
    headers: { 'if-none-match': 'W/"a",'.repeat(2_300) },
  },
  { name: 'tools, many tags', path: '/v1/tools', headers: { 'if-none-match': 'W/"a",'.repeat(2_300) } },
  {
    name: 'tools, odd Accept-Encoding',
    path: '/v1/tools',
    headers: { 'accept-encoding': 'gzip ;q=0,'.repeat(1_300) },
  },
  {
    name: 'tools, gzip and spaces',
    path: '/v1/tools',
    headers: { 'accept-encoding': `${`gzip${' '.repeat(100)};`.repeat(140)}` },
  },
  { name: 'tools, searched', path: `/v1/tools?q=${encodeURIComponent(marks(190))}` },
  { name: 'tools, all', path: '/v1/tools', headers: { 'accept-encoding': 'gzip' } },
  { name: 'many headers', path: '/healthz', headers: manyHeaders },
  { name: 'a challenge', path: '/v1/late-fee-notice?amount=5&due_date=2026-01-01' },
];
