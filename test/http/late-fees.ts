import { testApp } from '../support/app.ts';
import { answerOf, faultsOf, type Json } from './wire.ts';

const app = testApp();

export const get = (query: string) => app.get(`/v1/late-fee?${query}`);

/** Returns the answer to a valid query. For an invalid one, use `faults`. */
export const fee = async (query: string): Promise<Json> => answerOf(await get(query));

export const faults = async (query: string) => faultsOf(await get(query));

export const DATES = 'due_date=2026-11-04&paid_date=2026-11-21';
