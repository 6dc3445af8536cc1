import { describe, expect, it } from 'vitest';
import lateFeeNotice from '../../src/operations/late-fee-notice.ts';
import { proves } from '../spec/clauses.ts';
import { fakePayment } from '../support/app.ts';
import { CAUSE, riddle } from './riddle.ts';
import { payingApp, problemOf } from './wire.ts';

const paid = { 'payment-signature': fakePayment() };

describe('an operation without an answer', () => {
  const operations = [lateFeeNotice as never, riddle];
  const ask = async (end: string, headers = {}) => {
    const app = payingApp({ operations });
    return { response: await app.get(`/v1/riddle?end=${end}`, headers), app };
  };

  it(proves('3-analysis-failed', 'is a 409 analysis_failed, and there is nothing to pay for'), async () => {
    for (const headers of [{}, paid]) {
      const { response, app } = await ask('no_answer', headers);
      expect(response.headers.has('payment-required')).toBe(false);
      expect(await problemOf(response)).toMatchObject({
        status: 409,
        code: 'analysis_failed',
        state: 'analysis_failed',
        detail: 'Nobody knows.',
        charged: false,
      });
      expect(app.orders.length).toBe(0);
    }
  });

  it(proves('7-404', 'gives a 404 if the requested item does not exist, and is never charged'), async () => {
    for (const headers of [{}, paid]) {
      const { response, app } = await ask('not_found', headers);
      expect(await problemOf(response)).toMatchObject({ status: 404, code: 'not_found', charged: false });
      expect(app.orders.length).toBe(0);
    }
    expect(await problemOf(await payingApp().get('/v1/late-fees'))).toMatchObject({ status: 404 });
  });

  it(
    proves(
      '7-5xx',
      'gives a 500 that does not show the cause if the service has a bug, and is never charged',
    ),
    async () => {
      for (const headers of [{}, paid]) {
        const { response, app } = await ask('throws', headers);
        expect(await response.clone().text()).not.toMatch(/vault|1234|secret|riddle/);
        expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal', charged: false });
        expect([app.orders.length, app.bugs.length]).toEqual([0, 1]);
        expect((app.bugs[0] as Error).message).toBe(CAUSE);
      }
    },
  );
});
