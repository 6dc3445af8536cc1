import { beforeAll, describe, expect, it } from 'vitest';
import { builtProgram, isBundle, withChain } from '../support/built-program.ts';
import { sharedChain } from '../support/chain.ts';
import { mine } from '../support/chain-actions.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { until } from '../support/until.ts';
import { listens, processes } from './process.ts';

const LINE = /^(ok {2}|warn|FAIL) {2}\S.*\.$/;

describe('npm run doctor', () => {
  const chain = sharedChain();
  const run = processes();
  let port: string;

  beforeAll(async () => {
    await mine(chain());
    port = String(await freePort());
  });

  async function doctor(env: Record<string, string>) {
    const program = run({ PORT: port, ...env }, { program: builtProgram('doctor') });
    const status = await program.ended;
    return { status, lines: program.written().trimEnd().split('\n') };
  }
  const local = () => ({
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS: `${chain().rpcUrl}/?key=SECRET-4711`,
    RELAYER_KEY: chain().relayerKey,
    PAY_TO: SELLER,
  });

  const playMoney = 'says of an environment without settings that its money is play money, and exits with 0';
  it.skipIf(isBundle)(withChain(playMoney), async () => {
    const { status, lines } = await doctor({});
    expect(status).toBe(0);
    expect(lines.find((line) => line.includes('PLAY MONEY'))).toMatch(
      /^warn .*Real USDC cannot be paid to it/,
    );
  });

  it('writes one line for each check and a total, and exits with 0 if nothing is wrong', async () => {
    const { status, lines } = await doctor(local());
    expect(status, lines.join('\n')).toBe(0);
    expect(lines.slice(0, -1).filter((line) => !LINE.test(line))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^\d+ ok, \d+ to look at, 0 wrong\.$/);
    expect(lines.join('\n')).not.toContain('4711');
  });

  it('exits with 1 if something is wrong', async () => {
    const { status, lines } = await doctor({ ...local(), RPC_URLS: `http://127.0.0.1:${await freePort()}` });
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/, 1 wrong\.$/);
  });

  it('exits with 78 and all faults at once if settings are wrong, and warns of mistyped ones', async () => {
    const wrong = await doctor({ ...local(), PAY_TO: 'nobody', LOG_LEVEL: 'loud' });
    expect(wrong.status).toBe(78);
    expect(wrong.lines.join('\n')).toMatch(/FAIL {2}2 settings are wrong:\n {2}PAY_TO .*\n {2}LOG_LEVEL /);
    const mistyped = await doctor({ ...local(), REDISURL: 'redis://SECRET-4711' });
    expect(mistyped.lines).toContainEqual(
      expect.stringMatching(/^warn {2}REDIS_URL: is not set, but REDISURL is/),
    );
    expect(mistyped.lines.join('\n')).not.toContain('4711');
  });

  it('finds the service at PUBLIC_BASE_URL if it is running', async () => {
    const service = run({ PORT: port, ...local() });
    await listens(service);
    await until(async () => (await fetch(`${service.url}/readyz`)).ok, 'payments are ready');
    const { lines } = await doctor(local());
    expect(lines).toContainEqual(
      `ok    PUBLIC_BASE_URL http://127.0.0.1:${port}: answers; payments there are ok.`,
    );
  });
});
