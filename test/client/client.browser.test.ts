import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { Browser } from '../../tools/browser/index.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, earned } from '../support/chain-app.ts';
import { type Listening, listening, opened, stopped } from '../support/listening.ts';
import { executablePath, launched } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('the typed client in a browser', () => {
  const chain = sharedChain();
  const elsewhere = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Another site</title>'),
  );
  let browser: Browser;
  let service: Listening;
  let script: string;

  beforeAll(async () => {
    const bundle = await rolldown({
      input: fileURLToPath(new URL('browser-buyer.ts', import.meta.url)),
      platform: 'browser',
    });
    script = (await bundle.generate({ format: 'iife', minify: true })).output[0].code;
    browser = await launched();
  });
  afterAll(async () => {
    await browser?.close();
    await stopped(elsewhere);
    await service?.stop();
  });

  it('buys from a page of another site, using nothing that only Node.js has', async () => {
    service = await listening(chainApp(chain()));
    const { privateKey } = chain().buyers[0] as DevAccount;
    const before = await earned(chain());
    const page = await browser.newPage();
    await page.goto(await opened(elsewhere));
    await page.addScriptTag({ content: script });
    const call = `buyNotice(${JSON.stringify(service.url)}, ${JSON.stringify(privateKey)})`;
    expect(await page.evaluate(call)).toMatchObject({ success: true, subject: expect.any(String) });
    expect((await earned(chain())) - before).toBe(10_000n);
    expect(script).not.toMatch(/\brequire\(|\bfrom\s*["']node:/);
  });
});
