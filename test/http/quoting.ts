import { testApp } from '../support/app.ts';
import { answerOf, faultsOf, type Json } from './wire.ts';

export const app = testApp();

export const post = (body: unknown) => app.post('/v1/quote', body);

/** Returns the answer to a valid body. For an invalid one, use `faults`. */
export const quote = async (body: unknown): Promise<Json> => answerOf(await post(body));

export const faults = async (body: unknown) => faultsOf(await post(body));

/** Items written as [quantity, unit price]. */
export const items = (...lines: [number, number][]) =>
  lines.map(([quantity, unit_price]) => ({ quantity, unit_price }));

/** The total of each line. */
export const lines = (answer: Json) => answer.items.map(({ line_total: total }: Json) => total);
