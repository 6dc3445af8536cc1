import { answerOf, type Json, payingApp } from './wire.ts';

export const app = payingApp();

/** Buys a pack and returns its answer. */
export const pack = async (body: unknown): Promise<Json> => answerOf(await app.buyPack(body));

/** Lines of three rates. */
export const british = {
  currency: 'GBP',
  tax_percent: 20,
  items: [
    { description: 'Kitchen fitting', quantity: 2, unit_price: 450 },
    { description: 'Insulation', unit_price: 213.5, tax_percent: 5 },
    { description: 'Permit', unit_price: 120, tax_percent: '0' },
  ],
};
