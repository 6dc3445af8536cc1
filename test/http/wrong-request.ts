import { expect } from 'vitest';
import { testApp } from '../support/app.ts';
import { problemOf } from './wire.ts';

export const app = testApp();

export const QUOTE = '/v1/quote';
export const PACK = '/v1/quote-pack';
export const one = { unit_price: 450 };
export const line = (fields: object) => ({ items: [{ ...one, ...fields }] });
export const beside = (fields: object) => ({ items: [one], ...fields });
export const priced = (unit_price: unknown) => ({ items: [{ unit_price }] });

/** A wrong request, its faults, the words in them that lead to the correction, and the corrected request. */
export type Row = readonly [
  path: string,
  wrong: unknown,
  faults: string[],
  says: string[],
  repaired: unknown,
];

/** Sends a wrong request, reads its error and sends the corrected request. */
export async function isRepaired([path, wrong, faults, says, repaired]: Row): Promise<void> {
  const { status, errors = [] } = await problemOf(await app.post(path, wrong));
  expect(status).toBe(400);
  expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(faults);
  const told = errors.map(({ detail, hint }) => `${detail} ${hint ?? ''}`).join(' ');
  for (const words of says) expect(told).toContain(words);
  const answered = await app.post(path, repaired);
  expect(answered.status).toBe(path === PACK ? 402 : 200);
}
