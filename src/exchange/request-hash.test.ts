import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../catalog/operation.ts';
import { type Day, parseDay } from '../domain/calendar.ts';
import lateFee from '../operations/late-fee.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import quotePack from '../operations/quote-pack.ts';
import { decodeBody, decodeQuery } from '../surfaces/http/input.ts';
import { requestHash } from './purchase.ts';
import { type RawInput, validate } from './validate.ts';

const today = parseDay('2026-11-21') as Day;

function hashOf(declared: unknown, raw: RawInput): string {
  const operation = declared as Operation;
  const validated = validate(operation, raw, { today });
  if (!validated.ok) throw new Error(`invalid: ${JSON.stringify(validated.faults)}`);
  return requestHash(operation.name, validated.input);
}
const query = (text: string) => hashOf(lateFeeNotice, decodeQuery(text));
const body = (text: string) => hashOf(quotePack, decodeBody(Buffer.from(text)));
const values = (operation: unknown, raw: Record<string, unknown>) =>
  hashOf(operation, { values: raw, faults: [] });

const NOTICE = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21&tone=firm&client_name=Acme+Ltd';

describe('the same request', () => {
  it('has a SHA-256 hash in hex', () => {
    expect(query(NOTICE)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has the same hash from a query and from JSON', () => {
    const json = {
      client_name: 'Acme Ltd',
      amount: 1250,
      due_date: '2026-11-04',
      paid_date: '2026-11-21',
      tone: 'firm',
    };
    expect(values(lateFeeNotice, json)).toBe(query(NOTICE));
  });

  it.each([
    [
      'another order',
      'client_name=Acme%20Ltd&tone=firm&paid_date=2026-11-21&due_date=2026-11-04&amount=1250',
    ],
    ['decimals written out', NOTICE.replace('1250', '1250.00')],
    ['blanks around', NOTICE.replace('1250', '%201250%20')],
    ['empty optionals', `${NOTICE}&invoice_number=&business_name=&currency=&rate=`],
    ['defaults filled in', `${NOTICE}&rate_type=monthly_percent&grace_days=0`],
    ['invisible characters', NOTICE.replace('Acme+Ltd', 'Acme%E2%80%8B++Ltd')],
  ])('has the same hash with %s', (_how, text) => {
    expect(query(text)).toBe(query(NOTICE));
  });

  it.each([
    '{"items":[{"unit_price":1.50}],"currency":"USD"}',
    '{"currency":"usd","items":[{"unit_price":"1.5"}]}',
    '{"items":"[{\\"unit_price\\":1.5}]","business_name":null}',
    '{"items":[{"quantity":1,"unit_price":1.5,"description":""}],"tax_percent":0,"valid_days":30}',
    '{"items":[{"unit_price":1.5000000000000002}],"better_markup_percent":25,"best_markup_percent":null}',
  ])('has the same hash for one quote pack: %s', (text) => {
    expect(body(text)).toBe(body('{"items":[{"unit_price":1.5}]}'));
  });
});

describe('a different request', () => {
  it('has another hash for each field that differs', () => {
    const variants = [
      NOTICE,
      NOTICE.replace('1250', '1250.01'),
      NOTICE.replace('2026-11-04', '2026-11-05'),
      NOTICE.replace('&paid_date=2026-11-21', ''),
      NOTICE.replace('firm', 'final'),
      NOTICE.replace('Acme', 'acme'),
      `${NOTICE}&rate=2`,
      `${NOTICE}&grace_days=1`,
      `${NOTICE}&currency=USD`,
      `${NOTICE}&business_name=Acme`,
      `${NOTICE}&invoice_number=Acme`,
    ];
    expect(new Set(variants.map(query)).size).toBe(variants.length);
  });

  it('has another hash for another operation with the same input', () => {
    const input = { amount: 5, due_date: '2026-11-04' };
    expect(values(lateFee, input)).not.toBe(values(lateFeeNotice, input));
    expect(requestHash('late_fee', {})).not.toBe(requestHash('late_fee_notice', {}));
  });

  it('has different hashes for a number, a big integer and a text, and for another order of a list', () => {
    const hashes = [{ a: 1 }, { a: 1n }, { a: '1' }, { a: [1, 2] }, { a: [2, 1] }, { a: null }, {}].map(
      (input) => requestHash('x', input),
    );
    expect(new Set(hashes).size).toBe(7);
  });

  it('has another hash whenever the validated input differs', () => {
    const item = fc.record({
      description: fc.constantFrom('', 'a', 'b', 'a","unit_price":2,"x":"'),
      quantity: fc.constantFrom(1, 2, '2', 0.5),
      unit_price: fc.constantFrom(1, 1.5, '1.50', -1, 10),
    });
    const request = fc.record(
      {
        items: fc.array(item, { minLength: 1, maxLength: 3 }),
        tax_percent: fc.constantFrom(0, 10, '10'),
        currency: fc.constantFrom('USD', 'usd', 'EUR'),
        business_name: fc.constantFrom('', 'a', 'A'),
      },
      { requiredKeys: ['items'] },
    );
    const valid = (raw: object) =>
      validate(quotePack as unknown as Operation, { values: { ...raw }, faults: [] }, { today });
    fc.assert(
      fc.property(request, request, (one, other) => {
        const [a, b] = [valid(one), valid(other)];
        fc.pre(a.ok && b.ok);
        const text = (input: unknown) =>
          JSON.stringify(input, (_name, part) => (typeof part === 'bigint' ? `${part}n` : part));
        const hashes = [a, b].map((read) => requestHash('x', read.ok && read.input));
        expect(hashes[0] === hashes[1]).toBe(text(a.ok && a.input) === text(b.ok && b.input));
      }),
    );
  });
});
