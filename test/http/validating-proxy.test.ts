import { expect, it } from 'vitest';
import { expectAllowed } from '../support/validating-proxy/through.ts';

it('the validating proxy in front of these tests reports an answer that the document does not allow', async () => {
  const asked = { method: 'GET', target: '/v1/late-fee?amount=1250&due_date=2026-11-04' };
  const answered = (status: number, body: string) =>
    expectAllowed(asked, async () => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    }));
  await expect(answered(418, '{}')).rejects.toThrow(/does not allow 418 /);
  await expect(answered(200, '{"late_fee":"much"}')).rejects.toThrow(/required property/);
});
