import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { text } from '../../src/catalog/fields.ts';
import { type Operation, operation, usd } from '../../src/catalog/operation.ts';
import { createLog, faultFields } from '../../src/platform/log.ts';
import { settles } from '../http/wire.ts';
import { proves } from '../spec/clauses.ts';
import { scriptedSettlement, testApp } from '../support/app.ts';
import { MARK, markedHeaders, markedPayment, shows } from './marked.ts';

const app = testApp();

/**
 * Returns a problem without the parts that it may repeat: the name of a field, where its pointer and its summary
 * locate the fault. It never repeats a value, except a well-formed date that does not exist.
 */
async function beyondPointers(response: Response): Promise<string> {
  const { errors = [], detail, ...problem } = JSON.parse(await response.text());
  const pointers: string[] = errors.map(({ pointer }: { pointer: string }) => pointer);
  const summary = pointers
    .filter((pointer) => pointer !== '')
    .reduce((text, part) => text.replaceAll(part, ''), detail);
  const rest = errors.map(({ pointer: _pointer, ...fault }: { pointer: string }) => fault);
  return JSON.stringify({ ...problem, detail: summary, errors: rest, headers: [...response.headers] });
}
const get = (path: string, headers = {}) => app.get(path, { ...markedHeaders, ...headers });
const post = (path: string, body: unknown) => app.post(path, body, markedHeaders);

describe('an error', () => {
  it.each([
    [
      'values',
      400,
      () => get(`/v1/late-fee-notice?amount=${MARK}&due_date=${MARK}&paid_date=${MARK}&rate=${MARK}`),
    ],
    ['choices', 400, () => get(`/v1/late-fee?rate_type=${MARK}&grace_days=${MARK}&currency=${MARK}`)],
    [
      'long texts',
      400,
      () => get(`/v1/late-fee-notice?amount=5&due_date=2026-11-04&client_name=${MARK.repeat(50)}`),
    ],
    [
      'values next to others that are wrong',
      400,
      () => get(`/v1/late-fee-notice?client_name=${MARK}&tone=x`),
    ],
    ['names', 400, () => get(`/v1/late-fee?${MARK}=${MARK}&${MARK}=${MARK}&${MARK}.2=%ff`)],
    ['a path', 404, () => get(`/v1/${MARK}/${MARK}?${MARK}=${MARK}`)],
    ['a listing', 404, () => get(`/v1/tools/${MARK}`)],
    ['a category', 400, () => get(`/v1/tools?category=${MARK}`)],
    ['needs', 400, () => get(`/v1/stack-report?business_type=${MARK}&needs=${MARK}&team_size=${MARK}`)],
    [
      'the fields of items',
      400,
      () => post('/v1/quote', { items: [{ [MARK]: MARK, unit_price: MARK, quantity: MARK }] }),
    ],
    [
      'the fields of a body',
      400,
      () => post('/v1/quote', { [MARK]: { [MARK]: MARK }, tax_percent: MARK, currency: MARK }),
    ],
    ['a body given twice', 400, () => post('/v1/quote', `{"${MARK}":"${MARK}","${MARK}":"${MARK}"}`)],
    ['a body that is not JSON', 400, () => post('/v1/quote', `{"${MARK}":${MARK}}`)],
    ['a body that is text', 400, () => post('/v1/quote', JSON.stringify(MARK))],
    ['items that are text', 400, () => post('/v1/quote', { items: MARK })],
    [
      'a payment that cannot be read',
      400,
      () => get('/v1/late-fee-notice?amount=5&due_date=2026-11-04', { 'payment-signature': MARK }),
    ],
    [
      'a payment of another amount',
      402,
      () =>
        get(`/v1/late-fee-notice?amount=5&due_date=2026-11-04&client_name=${MARK}`, {
          'payment-signature': markedPayment({ value: '1' }),
        }),
    ],
    [
      'a request for a price',
      402,
      () => get(`/v1/late-fee-notice?amount=5&due_date=2026-11-04&client_name=${MARK}`),
    ],
    [
      'another method',
      405,
      () => app.http.request(`/v1/quote?${MARK}`, { method: 'DELETE', headers: markedHeaders }),
    ],
  ])('repeats nothing of %s except where there is a fault', async (_what, status, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(shows(await beyondPointers(response))).toBe(false);
  });

  it('names a field as the caller wrote it, up to 80 characters', async () => {
    const response = await get(`/v1/late-fee?${MARK.repeat(20)}=1`);
    const { errors } = JSON.parse(await response.text());
    const name = `/${MARK.repeat(20).slice(0, 80)}`;
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(name);
  });

  it('repeats a date that does not exist only in its own fault and in the summary', async () => {
    const { errors, detail } = JSON.parse(
      await (await get('/v1/late-fee?amount=x&due_date=2026-02-30')).text(),
    );
    const telling = errors.filter((fault: object) => JSON.stringify(fault).includes('2026-02-30'));
    expect(telling.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/due_date']);
    expect(detail.split('2026-02-30').length).toBe(2);
  });
});

describe('a bug in the service', () => {
  /** An operation that throws an error with all its input in message, code and stack. */
  const leaky = operation({
    name: 'leak',
    operationId: 'getLeak',
    title: 'Leak',
    summary: 'A leak',
    description: 'Paid. Fails for tests.',
    route: { method: 'GET', path: '/v1/leak' },
    price: usd('0.01'),
    input: { name: text({ describe: 'Who.', maxCodePoints: 60, default: null }) },
    output: z.object({ text: z.string().max(20).describe('Text.') }),
    example: {},
    run: ({ name }) => {
      if (name === null) return { kind: 'answer', body: { text: 'fine' } };
      throw Object.assign(new Error(`cannot greet ${name} at https://rpc.example/${name}`), {
        code: `no greeting for ${name}`,
        cause: new Error(name),
        stack: `Error: ${name}\n    at ${name} (${import.meta.filename}:1:1)`,
      });
    },
  }) as unknown as Operation;

  it(proves('7-5xx', 'shows neither its cause nor the input, in the answer or in the log'), async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
    const broken = testApp({
      operations: [leaky],
      onBug: (name, error) =>
        log.error('fault', { where: 'operation', operation: name, ...faultFields(error) }),
    });
    for (const headers of [{}, { 'payment-signature': markedPayment() }]) {
      const response = await broken.get(`/v1/leak?name=${MARK}`, headers);
      const text = await response.text();
      expect([response.status, shows(text)]).toEqual([500, false]);
      expect(text).not.toMatch(/greet|rpc\.example|stack|\.ts/);
      expect(JSON.parse(text)).toMatchObject({ code: 'internal', charged: false });
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'fault', operation: 'leak', name: 'Error' },
      { event: 'fault', operation: 'leak', name: 'Error' },
    ]);
    expect(lines.filter(shows)).toEqual([]);
  });

  it('in a settler also shows neither its cause nor the input', async () => {
    const { settlement } = scriptedSettlement(() => {
      throw new Error(`POST https://rpc.example/${MARK} failed for ${MARK}`);
    });
    const response = await testApp({ settlement }).get('/v1/late-fee-notice?amount=5&due_date=2026-11-04', {
      'payment-signature': markedPayment(),
    });
    const text = await response.text();
    expect([response.status, shows(text), text.includes('rpc')]).toEqual([500, false, false]);
  });
});

describe('an answer', () => {
  it('for a payment shows names where they belong, and in no header', async () => {
    const { settlement } = scriptedSettlement(settles);
    const response = await testApp({ settlement }).get(
      `/v1/late-fee-notice?amount=5&due_date=2026-11-04&client_name=${MARK}`,
      { ...markedHeaders, 'payment-signature': markedPayment() },
    );
    expect(response.status).toBe(200);
    expect(shows(JSON.stringify([...response.headers]))).toBe(false);
    const { fee, reminder, caveats } = (await response.json()) as Record<string, Record<string, unknown>>;
    expect(shows(String(reminder?.body))).toBe(true);
    expect(shows(JSON.stringify([fee, caveats]))).toBe(false);
  });
});
