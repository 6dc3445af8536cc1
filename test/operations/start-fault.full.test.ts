import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBundle, withChain } from '../support/built-program.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { until } from '../support/until.ts';
import { clockBehind, listens, processes } from './process.ts';

const DEMO = fileURLToPath(new URL('../../dist/demo/demo.js', import.meta.url));
describe('a service with real settlers but without NODE_ENV=production', () => {
  const run = processes();

  it('starts, and names the address that buyers see in the log and in a sentence', async () => {
    const service = run({ ...UNSETTLED, PORT: String(await freePort()) });
    await listens(service);
    expect(service.logged('not_production')).toMatchObject([{ level: 'warn', origin: service.url }]);
    const sentence = () => service.written().includes('although the money is real');
    await until(sentence, 'the sentence');
    expect(service.written()).toContain(
      `NODE_ENV is not production, although the money is real: plain http is allowed, and buyers see the address ${service.url}.\n`,
    );
  });

  it.skipIf(isBundle)(withChain('gets no such warning with play money'), async () => {
    const calm = run({ PORT: String(await freePort()) });
    await listens(calm);
    expect(calm.logged('not_production')).toEqual([]);
  });
});

describe('a failed startup', () => {
  const run = processes();
  let other: Server;
  let taken: string;

  beforeEach(async () => {
    other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    taken = String((other.address() as { port: number }).port);
  });
  afterEach(() => new Promise((resolve) => other.close(resolve)));

  const inUse = (setting: string) =>
    `Port ${taken} of 127.0.0.1 is in use: stop the program that uses it, or set ${setting} to another port.\n`;
  const sentences = (written: string) =>
    written
      .split(/(?<=\n)/)
      .filter((line) => !line.startsWith('{'))
      .join('');

  it('because of a port in use is reported in one sentence with the fix', async () => {
    const service = run({ ...UNSETTLED, PORT: taken });
    expect(await service.ended).toBe(1);
    expect(sentences(service.written())).toBe(inUse('PORT'));
    expect(service.logged('fault')).toMatchObject([
      { where: 'start', name: 'StartFault', code: 'EADDRINUSE' },
    ]);
  });

  it('because of an address of another machine is reported in one sentence with the fix', async () => {
    const service = run({ ...UNSETTLED, PORT: taken, HOST: '192.0.2.1' });
    expect(await service.ended).toBe(1);
    expect(sentences(service.written())).toBe(
      '192.0.2.1 is not an address of this machine: set HOST to one that is, or to 127.0.0.1.\n',
    );
  });

  it('because of a clock earlier than the data is reported in one sentence with the fix', async () => {
    const service = run({ ...UNSETTLED, PORT: String(await freePort()) }, { node: clockBehind(30) });
    expect(await service.ended).toBe(1);
    expect(sentences(service.written())).toMatch(
      /^This machine's clock says \d{4}-\d\d-\d\d, but the directory of tools was checked later, on \d{4}-\d\d-\d\d: set the clock\.\n$/,
    );
    expect(service.logged('fault')).toMatchObject([{ where: 'start', name: 'StartFault' }]);
  });

  it('because of a port in use is also reported by the demo', async () => {
    const demo = run({ PORT: taken }, { program: DEMO });
    expect(await demo.ended).toBe(1);
    expect(demo.written()).toBe(inUse('PORT'));
  });
});
