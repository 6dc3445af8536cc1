import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { expectAllowed } from '../support/validating-proxy/through.ts';

const app = testApp();
const QUERY = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';

/** An answer of the service, modified afterwards. */
async function changed(target: string, changes: { status?: number; body?: string; drop?: string }) {
  const response = await app.get(target);
  const headers = Object.fromEntries(response.headers);
  if (changes.drop !== undefined) delete headers[changes.drop];
  const body = Buffer.from(changes.body ?? (await response.text()));
  return expectAllowed({ method: 'GET', target }, async () => ({
    status: changes.status ?? response.status,
    headers,
    body,
  }));
}

describe('the validating proxy in front of these tests', () => {
  const free = `/v1/late-fee?${QUERY}`;
  const paid = `/v1/late-fee-notice?${QUERY}`;

  it("lets the service's answers pass", async () => {
    await expect(changed(free, {})).resolves.toBeUndefined();
    await expect(changed(paid, {})).resolves.toBeUndefined();
  });

  it('reports an undocumented status', async () => {
    await expect(changed(free, { status: 418 })).rejects.toThrow(/does not allow 418 /);
  });

  it('reports a body that its schema does not allow', async () => {
    await expect(changed(free, { body: '{"late_fee":"much"}' })).rejects.toThrow(/required property/);
    await expect(changed(paid, { body: '{}' })).rejects.toThrow(/required property/);
  });

  it('reports a missing header and another media type', async () => {
    await expect(changed(paid, { drop: 'payment-required' })).rejects.toThrow(/header/);
    await expect(changed(free, { drop: 'content-type' })).rejects.toThrow(/media type/);
  });

  it('ignores addresses and methods that the document does not describe', async () => {
    await expect(changed('/v1/nothing', { status: 418 })).resolves.toBeUndefined();
  });
});
