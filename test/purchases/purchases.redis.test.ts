import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { builtProgram } from '../support/built-program.ts';
import { sharedChain } from '../support/chain.ts';
import { mint } from '../support/chain-actions.ts';
import { earned, headerJson, noticePath } from '../support/chain-app.ts';
import { freePort } from '../support/listening.ts';
import { frontRun, paymentHeader, requirementsFor, SELLER, signAuthorization } from '../support/payments.ts';
import { freeRelayerKeys, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const program = builtProgram('purchases');
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
const REPORT = '/v1/stack-report?business_type=trades&team_size=4';
const PACK = JSON.stringify({ items: [{ description: 'Deck', unit_price: 450 }] });

// Each lookup is a separate program.
describe.skipIf(redisMissing)('npm run purchases', { timeout: 300_000 }, () => {
  const chain = sharedChain();
  const run = processes();
  const folder = mkdtempSync(join(tmpdir(), 'purchases-'));
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = (env: Record<string, string> = {}) => ({
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS: chain().rpcUrl,
    RELAYER_KEY: chain().relayerKey,
    PAY_TO: SELLER,
    REDIS_URL: redis.url,
    ...env,
  });

  /** The output of the command for these arguments. */
  async function purchases(args: string[], env: Record<string, string> = {}) {
    const command = run(settings(env), { program: program, args });
    const status = await command.ended;
    return { status, out: command.written() };
  }

  async function serve(env: Record<string, string> = {}): Promise<ServiceProcess> {
    // The relayer key of the previous service need not be waited for.
    await freeRelayerKeys(redis, [chain().relayerKey as `0x${string}`]);
    const service = run({ ...settings(env), PORT: String(await freePort()) });
    await listens(service, 60_000);
    await until(async () => (await fetch(`${service.url}/readyz`)).ok, 'ready');
    return service;
  }

  async function buy({ url }: ServiceProcess, path: string, init: RequestInit = {}) {
    const unpaid = await fetch(`${url}${path}`, init);
    const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
    const buyer = chain().buyers[0] as DevAccount;
    const payment = await signAuthorization({ buyer, accepted: accepted as PaymentRequirements });
    const headers = { ...init.headers, 'payment-signature': paymentHeader(payment) };
    const again = () => fetch(`${url}${path}`, { ...init, headers });
    const paid = await again();
    expect(paid.status).toBe(200);
    const { transaction } = headerJson<{ transaction: string }>(paid, 'payment-response') ?? {
      transaction: '',
    };
    return {
      transaction,
      nonce: payment.payload.authorization.nonce,
      from: buyer.address.toLowerCase(),
      paid,
      again,
    };
  }

  it('says what a payment bought, when its answer became ready, and what to tell the buyer', async () => {
    const service = await serve();
    const { transaction, nonce, from, paid } = await buy(service, noticePath());
    const story = new RegExp(
      `^transaction:    ${transaction}
paid:           0\\.01 USDC, ${TIME}
payer:          ${from}
nonce:          ${nonce}
product:        late_fee_notice, by its claim
answer:         ready since ${TIME}
collect until:  ${TIME}
tell the buyer: Your payment of 0\\.01 USDC in transaction ${transaction} was for late_fee_notice\\. Send the identical request with the same payment again: you get the answer and are not charged a second time\\.
$`,
    );
    for (const which of [
      ['--tx', transaction],
      ['--nonce', nonce],
    ]) {
      const { status, out } = await purchases(which);
      expect([status, out]).toEqual([0, expect.stringMatching(story)]);
    }
    const ofPayer = await purchases(['--payer', from]);
    expect(ofPayer.out).toContain(transaction);
    // The log line has the request id of the response.
    const id = paid.headers.get('x-request-id') ?? '';
    expect(id).toMatch(new RegExp(`^${UUID}$`));
    const lines = service.written();
    expect(service.logged('purchase')).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        event: 'purchase',
        operation: 'late_fee_notice',
        outcome: 'settled',
        transaction,
        duration_ms: expect.any(Number),
        request_id: id,
      },
    ]);
    expect(service.logged('settlement')).toEqual([]);

    // Without a claim, the log identifies the product; without a log line, the price does; and without an answer,
    // nothing is invented.
    const log = join(folder, 'service.log');
    writeFileSync(log, `not JSON\n${lines}\n{"event":"purchase"}\n`);
    const byLog = await purchases(['--tx', transaction, '--log', log], { REDIS_URL: '' });
    expect(byLog.out).toContain('product:        late_fee_notice, by its log\n');
    expect(byLog.out).toContain(`request:        ${id}\n`);
    const byPrice = await purchases(['--tx', transaction], { REDIS_URL: '' });
    expect(byPrice.out).toContain('product:        late_fee_notice, by its price\n');
    expect(byPrice.out).toMatch(/^answer: +not known: REDIS_URL is not set/m);
    // A running service would restore its claims.
    service.child.kill('SIGKILL');
    await service.ended;
    await redis.command('FLUSHALL');
    const forgotten = await purchases(['--tx', transaction]);
    expect(forgotten.out).toMatch(/^answer: +not known: the payment has no claim/m);
  });

  it('tells a buyer whose purchase is only in the log to collect the answer, which the service still gives', async () => {
    const service = await serve({ REDIS_URL: '' });
    const { transaction, paid, again } = await buy(service, noticePath('Without Redis'));
    const log = join(folder, 'without-redis.log');
    await until(() => service.logged('purchase').length === 1, 'its log line');
    writeFileSync(log, service.written());
    for (const REDIS_URL of ['', 'redis://127.0.0.1:9']) {
      const { out } = await purchases(['--tx', transaction, '--log', log], { REDIS_URL });
      expect(out).toMatch(
        /was for late_fee_notice, and the answer was ready at .* Send the identical request with the same payment again; if you still get no answer, we will send the money back\.\n$/,
      );
    }
    const repeated = await again();
    expect([repeated.status, await repeated.text()]).toEqual([200, await paid.text()]);
  });

  it('says what was not a purchase: plain transfers, other prices, other payees, reverts, nothing at all', async () => {
    const buyer = chain().buyers[1] as DevAccount;
    const paid = async (amount: bigint, to = SELLER) => {
      const { payload } = await signAuthorization({ buyer, accepted: requirementsFor(to, amount) });
      return (await frontRun(chain(), payload)).transactionHash;
    };
    const strange = await purchases(['--tx', await paid(12_345n)]);
    expect(strange.out).toContain('paid:           0.012345 USDC');
    expect(strange.out).toContain('product:        (no price of ours)\n');
    const elsewhere = await paid(10_000n, '0x00000000000000000000000000000000000000Bc');
    expect(await purchases(['--tx', elsewhere])).toEqual({
      status: 1,
      out: `${elsewhere}: it paid nothing to PAY_TO.\n`,
    });
    const never = `0x${'ab'.repeat(32)}`;
    expect((await purchases(['--tx', never])).out).toBe(
      `${never}: this network has no such transaction, or not yet.\n`,
    );
    expect((await purchases(['--nonce', never])).out).toContain('its buyer was not charged');
  });

  it('counts revenue by day and product, with a sum that equals the payments on the chain', async () => {
    const before = await earned(chain(), SELLER);
    const service = await serve();
    for (let count = 0; count < 3; count += 1) await buy(service, noticePath(`Buyer ${count}`));
    await buy(service, '/v1/quote-pack', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: PACK,
    });
    await buy(service, REPORT);
    await mint(chain(), SELLER, 5_000_000n);
    const { status, out } = await purchases(['--csv', '--from', '2026-01-01', '--to', '2026-12-31']);
    expect(status).toBe(0);
    const rows = out.split('\n').filter((line) => /^\d{4}-/.test(line));
    const today = new Date().toISOString().slice(0, 10);
    expect(rows.join('\n')).toMatch(new RegExp(`^${today},late_fee_notice,[3-9],0\\.0[3-9]$`, 'm'));
    expect(rows).toContain(`${today},quote_pack,1,0.05`);
    expect(rows).toContain(`${today},small_business_stack_report,1,1.00`);
    expect(rows).toContain(`${today},(plain transfer),1,5.00`);
    const micros = (text: string) => Math.round(Number(text) * 1e6);
    const sum = rows.reduce((all, row) => all + micros(row.split(',').at(-1) ?? ''), 0);
    expect(BigInt(sum)).toBe(await earned(chain(), SELLER));
    expect(sum).toBeGreaterThan(Number(before));
    expect(out).toContain('according to the events of USDC.');
  });

  it('lists the payments without a known answer, whose senders may be owed money', async () => {
    const service = await serve();
    const { transaction } = await buy(service, noticePath('Answered'));
    const { payload } = await signAuthorization({
      buyer: chain().buyers[2] as DevAccount,
      accepted: requirementsFor(SELLER, 10_000n),
    });
    const { transactionHash: unanswered } = await frontRun(chain(), payload);
    const settingsFile = join(folder, 'calc.env');
    const lines = Object.entries(settings()).map(([name, value]) => `${name}=${value}`);
    writeFileSync(settingsFile, `${lines.join('\n')}\n`);
    const args = ['--unanswered', '--env-file', settingsFile];
    const command = run({}, { program, args });
    expect(await command.ended).toBe(0);
    const out = command.written();
    expect(out).toContain(unanswered);
    expect(out).not.toContain(transaction);
    expect(out).toMatch(/^\d+ of \d+ payments without a known answer\./m);
  });

  it('says in one line that a log cannot be read', async () => {
    const { status, out } = await purchases(['--all', '--log', '/no/such/calc.log']);
    expect([status, out]).toEqual([1, 'The log /no/such/calc.log cannot be read (ENOENT).\n']);
  });

  it.each([
    [[], 'Specify the purchases'],
    [['--tx', '0x12'], '--tx must be 0x and 64 hexadecimal digits'],
    [['--day', '2026-13-01'], '--day must be a day'],
    [['--csv', '--from', '2026-02-02', '--to', '2026-02-01'], '--from is after --to'],
    [['--everything'], '--everything'],
  ])('rejects %j as wrong usage in one sentence', async (args, says) => {
    const { status, out } = await purchases(args);
    expect([status, out]).toEqual([64, expect.stringContaining(says)]);
    expect(out).toContain('--help lists the options.\n');
  });

  it('reports the failure of a node without its address', async () => {
    const { status, out } = await purchases(['--csv'], { RPC_URLS: 'http://127.0.0.1:9/SECRET-4711' });
    expect([status, out]).toEqual([
      1,
      'No node in RPC_URLS gives a valid answer: npm run doctor says why.\n',
    ]);
    expect((await purchases(['--csv'], { NETWORK: 'eip155:84532' })).out).toBe(
      'The nodes in RPC_URLS are not on eip155:84532.\n',
    );
  });
});
