import { type Random, randomOf } from '../soak/random.ts';
import { fakePayment } from '../support/app.ts';
import { type Asked, post } from './asked.ts';
import { makerOf, others } from './makers.ts';
import { inEra, oddMessage, tool } from './messages.ts';
import { lateFee, notice, odd, pack, quote, report, spoilt, tools, type Values } from './values.ts';

/**
 * A kind of request: the number of its batches in the corpus, and the function that makes a request. `turn`
 * counts through all requests.
 */
type Kind = { readonly batches: number; readonly make: (random: Random, turn: number) => Asked };

const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '');
const spelled = (value: unknown): string =>
  encodeURIComponent(wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
const queryOf = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${spelled(name)}=${spelled(value)}`)
    .join('&');

const get = (path: string, values: Values, headers = {}): Asked => ({
  method: 'GET',
  path: `${path}?${queryOf(values)}`,
  headers,
  body: null,
});
const oneIn = (random: Random, many: number): boolean => random.chance(1 / many);

/** Queries that no program of this project would send. */
function mangled(asked: Asked, random: Random): Asked {
  const extra = random.pick([
    ...'&amount=5 &%ff=1 &=5 &a && %zz #x &rate=1+5'.split(' '),
    `&${'b=1&'.repeat(101)}`,
  ]);
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
  return { ...asked, method, path: `${asked.path}${extra}` };
}

/** Makes bodies that are wrong, or nearly wrong. */
function oddBody(path: string, values: Values, random: Random): Asked {
  const text = JSON.stringify(values);
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    `\ufeff${text}`,
    ` ${text}\n`,
    text.slice(0, -1),
    text.replace('{', '{"currency":"EUR",'),
    text.replace('"unit_price"', '"unit_price":1,"unit_price"'),
    text.replace('"unit_price"', '"unit\\u005fprice"'),
    `{"items":[${'[['.repeat(50)}${']]'.repeat(50)}]}`,
    JSON.stringify({ ...values, x: 'y'.repeat(66_000) }),
    JSON.stringify({ items: Array.from({ length: 120 }, () => ({ unit_price: 1 })) }),
  ];
  const types = ['application/json', 'application/json; charset=utf-8', 'application/x+json', 'text/plain'];
  const headers = { 'content-type': random.chance(0.7) ? 'application/json' : random.pick(types) };
  const stray = oneIn(random, 6) ? '?amount=5&amount=6' : '';
  return post(`${path}${stray}`, random.pick(bodies), oneIn(random, 12) ? {} : headers);
}

const HEADERS: readonly Record<string, string>[] = [
  {},
  {},
  { accept: 'text/html,*/*;q=0.8' },
  { 'x-payment': 'eyJ4IjoxfQ==' },
  { 'idempotency-key': 'a-name-of-mine' },
  { 'idempotency-key': 'n'.repeat(300) },
];

const PATHS = [
  ...'/v1/late-fee /v1/quote /v1/tools /v1/tools/none /v1/nowhere /v1 /mcp /v1/quote/'.split(' '),
  ...'//v1/quote /v1/late%2dfee'.split(' '),
];

/** Payments that are invalid or for a different purchase, and valid ones, some of them presented again. */
function paid(random: Random, turn: number): Asked {
  const asked = random.chance(0.6)
    ? get('/v1/late-fee-notice', {
        ...lateFee(random),
        ...(random.chance(0.7) && { paid_date: '2028-12-31' }),
      })
    : post('/v1/quote-pack', pack(random));
  const nonce = (Math.floor(turn / 100) * 40 + random.whole(1, 40)).toString(16);
  const value = asked.method === 'GET' ? '10000' : '50000';
  const good = fakePayment({ nonce, value: random.chance(0.9) ? value : '1' });
  const signature = random.chance(0.8)
    ? good
    : random.pick(['', 'x', '!!!!', good.slice(0, 60), 'e30=', 'bnVsbA==']);
  return { ...asked, headers: { ...asked.headers, 'payment-signature': signature } };
}

const mostly =
  (make: (random: Random) => Asked, other: (random: Random) => Asked, many: number) =>
  (random: Random): Asked =>
    oneIn(random, many) ? other(random) : make(random);

/** Some schema-based requests for each operation that has no kind of its own below. */
const ofOthers = others.flatMap((operation): [string, Kind][] => {
  const { name, route } = operation;
  if (route === null || route.path.includes('{')) return [];
  const make = makerOf(operation);
  const ask = (values: Values) =>
    route.method === 'GET' ? get(route.path, values) : post(route.path, values);
  return [
    [
      name,
      { batches: 2, make: (random) => ask(random.chance(0.4) ? spoilt(make(random), random) : make(random)) },
    ],
  ];
});

/** Every kind by its name; each batch has a hundred requests. */
export const kinds: Readonly<Record<string, Kind>> = {
  'late fee': { batches: 50, make: (random) => get('/v1/late-fee', lateFee(random)) },
  'late fee, spoilt': {
    batches: 30,
    make: mostly(
      (random) => get('/v1/late-fee', spoilt(lateFee(random), random)),
      (random) => mangled(get('/v1/late-fee', lateFee(random)), random),
      4,
    ),
  },
  quote: { batches: 30, make: (random) => post('/v1/quote', quote(random)) },
  'quote, spoilt': {
    batches: 30,
    make: mostly(
      (random) => post('/v1/quote', spoilt(quote(random), random)),
      (random) => oddBody('/v1/quote', quote(random), random),
      3,
    ),
  },
  tools: {
    batches: 8,
    make: mostly(
      (random) =>
        get('/v1/tools', tools(random), { 'accept-encoding': random.pick(['identity', 'gzip', 'br']) }),
      (random) => get('/v1/tools', spoilt(tools(random), random)),
      4,
    ),
  },
  'one tool': {
    batches: 2,
    make: (random) =>
      get(
        `/v1/tools/${spelled(random.chance(0.6) ? random.pick(['gimp', 'wave', 'zoho-invoice', 'docuseal']) : odd(random)) || 'x'}`,
        oneIn(random, 5) ? { a: 1 } : {},
      ),
  },
  'notice, unpaid': {
    batches: 20,
    make: mostly(
      (random) => get('/v1/late-fee-notice', notice(random), random.pick(HEADERS)),
      (random) => post('/v1/late-fee-notice', notice(random)),
      4,
    ),
  },
  'notice, spoilt': {
    batches: 10,
    make: (random) => get('/v1/late-fee-notice', spoilt(notice(random), random), random.pick(HEADERS)),
  },
  'pack, unpaid': { batches: 10, make: (random) => post('/v1/quote-pack', pack(random)) },
  'pack, spoilt': { batches: 8, make: (random) => post('/v1/quote-pack', spoilt(pack(random), random)) },
  report: {
    batches: 8,
    make: mostly(
      (random) => get('/v1/stack-report', report(random)),
      (random) => get('/v1/stack-report', spoilt(report(random), random)),
      3,
    ),
  },
  paid: { batches: 8, make: paid },
  'MCP calls': { batches: 20, make: (random) => inEra('tools/call', tool(random), random) },
  'MCP lists': { batches: 1, make: (random) => inEra('tools/list', {}, random) },
  'MCP, odd': { batches: 10, make: oddMessage },
  problems: {
    batches: 5,
    make: (random) => ({
      ...post(random.pick(PATHS), random.pick(['', '{}', '{"amount":5}'])),
      method: random.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']),
    }),
  },
  ...Object.fromEntries(ofOthers),
};

export const BATCH = 100;

/** The requests of one batch, which are the same in every run. */
export function batchOf(name: string, batch: number): Asked[] {
  const { make } = kinds[name] as Kind;
  const random = randomOf(17, `${name} ${batch}`);
  return Array.from({ length: BATCH }, (_, index) => make(random, batch * BATCH + index));
}
