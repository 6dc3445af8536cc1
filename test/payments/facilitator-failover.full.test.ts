import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { sharedChain } from '../support/chain.ts';
import { earned, noticePath, paymentAt } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { type LyingFacilitator, startLyingFacilitator } from '../support/lying-facilitator.ts';
import { type OfficialFacilitator, startOfficialFacilitator } from '../support/official-facilitator.ts';
import { serviceWith } from '../support/own-service.ts';
import { SELLER } from '../support/payments.ts';

const CENT = 10_000n;

/** A port that was free a moment ago and has no listener. */
const deadUrl = async (): Promise<string> => {
  const server = createServer();
  const url = await opened(server);
  await stopped(server);
  return `${url}/v1/SECRET-path`;
};

describe('a running service with several settlers', () => {
  const chain = sharedChain();
  let lying: LyingFacilitator;
  let official: OfficialFacilitator;
  let dead: string;
  let service: Service;
  let lines: string[];

  beforeAll(async () => {
    lying = await startLyingFacilitator(chain());
    official = await startOfficialFacilitator(chain().rpcUrl, chain().buyers[8]?.privateKey as `0x${string}`);
    dead = await deadUrl();
  });
  afterEach(async () => {
    await service.stop();
    lying.heal();
  });
  afterAll(() => Promise.all([lying.stop(), official.stop()]));

  async function serve(settings: Record<string, string>): Promise<void> {
    ({ service, lines } = await serviceWith({
      PAY_TO: SELLER,
      RPC_URLS: chain().rpcUrl,
      NODE_ENV: 'development',
      ...settings,
    }));
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, { headers });

  const payment = () => paymentAt(service.url, chain().buyers[3]);

  const settlements = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ event, outcome }) => event === 'settlement' && outcome !== 'listed')
      .map(({ settler, outcome, reason }) => [settler, outcome, reason]);

  it('continues with the next settler while the first one is down, and logs this', async () => {
    await serve({ SETTLERS: `${dead},${official.url}` });
    const before = await earned(chain(), SELLER);
    const response = await get(noticePath(), await payment());
    expect(response.status).toBe(200);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    expect(settlements()).toEqual([
      ['facilitator_1', 'not_sent', 'unreached'],
      ['facilitator_2', 'settled', undefined],
    ]);
    expect(lines.join('')).not.toContain('SECRET');
  });

  it('tries the next settlers if the first one rejects a payment, and settles the payment itself as the last one', async () => {
    await serve({
      SETTLERS: `${lying.url},${dead},local`,
      RELAYER_KEY: chain().buyers[7]?.privateKey as string,
    });
    lying.fail('too-many');
    const before = await earned(chain(), SELLER);
    expect((await get(noticePath(), await payment())).status).toBe(200);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    expect(settlements().map(([settler, outcome]) => [settler, outcome])).toEqual([
      ['facilitator_1', 'not_sent'],
      ['facilitator_2', 'not_sent'],
      ['local', 'settled'],
    ]);
  });

  it('stays with a settler that may have sent a payment, and asks that settler again', async () => {
    await serve({ SETTLERS: `${lying.url},${official.url}` });
    lying.fail('drop');
    const before = await earned(chain(), SELLER);
    const header = await payment();
    expect((await get(noticePath(), header)).status).toBe(409);
    expect(await earned(chain(), SELLER)).toBe(before);
    lying.heal();
    expect((await get(noticePath(), header)).status).toBe(200);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    expect(new Set(settlements().map(([settler]) => settler))).toEqual(new Set(['facilitator_1']));
  });

  it('answers free calls and states prices if all facilitators and nodes are down, but gives 503 for payments without sending anything', async () => {
    await serve({ SETTLERS: `${dead},${dead}/2`, RPC_URLS: dead });
    const free = await get('/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21');
    expect(free.status).toBe(200);
    expect((await get(noticePath())).status).toBe(402);
    const paid = await get(noticePath(), await payment());
    expect(paid.status).toBe(503);
    expect(paid.headers.get('retry-after')).not.toBeNull();
    expect(await paid.json()).toMatchObject({ code: 'settlement_unavailable', charged: false });
    expect(lines.join('')).not.toContain('SECRET');
  });

  it('reports a facilitator that does not list our network, and still sends it payments', async () => {
    lying.supports([{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }]);
    await serve({ SETTLERS: lying.url });
    expect((await get(noticePath(), await payment())).status).toBe(200);
    const notes = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'settler_error');
    expect(notes).toMatchObject([{ settler: 'facilitator_1', reason: 'not_listed' }]);
  });
});
