import { fakePayment } from '../support/app.ts';
import { payingApp } from './wire.ts';

/** A service for this test file, and a request to it by any method. */
export const politeService = () => {
  const app = payingApp();
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    app.http.request(path, { method, headers });
  return { app, call };
};

export const GETS = ['/v1/late-fee', '/v1/late-fee-notice'];

export const POSTS = ['/v1/quote', '/v1/quote-pack'];

export const QUERY = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';

export const paid = { 'payment-signature': fakePayment() };
