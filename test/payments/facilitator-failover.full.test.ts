import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { sharedChain } from '../support/chain.ts';
import { earned, noticePath, paymentAt } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { type LyingFacilitator, startLyingFacilitator } from '../support/lying-facilitator.ts';
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
  let dead: string;
  let service: Service;
  let lines: string[];

  beforeAll(async () => {
    lying = await startLyingFacilitator(chain());
    dead = await deadUrl();
  });
  afterEach(async () => {
    await service.stop();
    lying.heal();
  });
  afterAll(() => lying.stop());

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

  it('tries the next settlers if the first one rejects a payment, and settles the payment itself as the last one', async () => {
    await serve({
      SETTLERS: `${lying.url},${dead},local`,
      RELAYER_KEY: chain().buyers[7]?.privateKey as string,
    });
    lying.fail('too-many');
    const before = await earned(chain(), SELLER);
    expect((await get(noticePath(), await payment())).status).toBe(200);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    const settlements = lines
      .map((line) => JSON.parse(line))
      .filter(({ event, outcome }) => event === 'settlement' && outcome !== 'listed')
      .map(({ settler, outcome }) => [settler, outcome]);
    expect(settlements).toEqual([
      ['facilitator_1', 'not_sent'],
      ['facilitator_2', 'not_sent'],
      ['local', 'settled'],
    ]);
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
