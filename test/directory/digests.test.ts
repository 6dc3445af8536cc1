import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import { type Day, parseDay } from '../../src/domain/calendar.ts';
import { requestHash, withoutForm } from '../../src/exchange/purchase.ts';
import { validate } from '../../src/exchange/validate.ts';
import { decodeQuery } from '../../src/surfaces/http/input.ts';
import { catalog } from '../support/app.ts';

const report = catalog.find(({ name }) => name === 'small_business_stack_report') as Operation;
const digestOf = (query: string): string => {
  const validated = validate(report, decodeQuery(query), { today: parseDay('2026-11-21') as Day });
  if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
  return requestHash(report.name, withoutForm(validated.input, report.form));
};

describe('a report that was paid for before an update', () => {
  it.each([
    ['business_type=trades', '4f7efc12ea514d279160680a88311c34af96c90abc7edbb69ad997a816aaee2a'],
    ['business_type=trades&team_size=4', '6fd5a845f952ebd72be50c9ead6f8aa0dc8b2baa047e8d0ce4dc44e5adddcdde'],
    [
      'business_type=agency&needs=e_signature,backup',
      'b34ad820d2c45a8e2733e3f62e067862cb9f438aca052741b90ba7fa730b4ae9',
    ],
    [
      'business_type=retail&free_only=true',
      '7c74c4d3464b3184da66ea48781d53d53282abfcfed4811c5d20c653d67ed46b',
    ],
    [
      'business_type=nonprofit&needs=forms&team_size=25&free_only=true',
      '590b31a81dd3d084ed5b053e87002c7661b16e3e65dc6a88e854c4ec044494de',
    ],
  ])('can be collected after the update: %s', (query, digest) => {
    expect(digestOf(query)).toBe(digest);
    expect(digestOf(`${query}&country=&trade=&format=`)).toBe(digest);
  });
});

it('the digest of a report includes the trade exactly as it was written', () => {
  const plain = digestOf('business_type=service');
  const salon = digestOf('business_type=service&trade=nail%20salon');
  expect(salon).not.toBe(plain);
  expect(digestOf('business_type=service&trade=%20nail%20%20salon%20')).toBe(salon);
  expect(digestOf('business_type=service&trade=tutor')).not.toBe(salon);
});

it('the digest of a report includes the country but not the format of the document', () => {
  expect(digestOf('business_type=trades&format=markdown')).toBe(digestOf('business_type=trades'));
  expect(digestOf('business_type=trades&country=gb')).toBe(digestOf('business_type=trades&country=GB'));
  expect(digestOf('business_type=trades&country=GB')).not.toBe(digestOf('business_type=trades'));
});
