import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { testApp } from '../support/app.ts';

const modules = join(fetchTool('openapi-readers'), 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'openapi-readers-'));
const document = join(folder, 'openapi.json');
writeFileSync(document, await (await testApp().get('/openapi.json')).text());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...words: string[]) =>
  spawnSync(process.execPath, [join(modules, program), ...words], { cwd: folder, encoding: 'utf8' });

it('the recommended rules of Spectral find no error', () => {
  writeFileSync(join(folder, '.spectral.yaml'), 'extends: [["spectral:oas", recommended]]\n');
  const { stdout, status } = run('@stoplight/spectral-cli/dist/index.js', 'lint', document);
  expect([status, stdout.trim()]).toEqual([0, "No results with a severity of 'error' found!"]);
});

it('types generated from the OpenAPI document allow defaults to be left out and have numbers as numbers', () => {
  expect(run('openapi-typescript/bin/cli.js', document, '-o', 'api.ts').status).toBe(0);
  writeFileSync(
    join(folder, 'caller.ts'),
    `import type { components, paths } from './api';
const quote: components['schemas']['CreateQuoteInput'] = { items: [{ unit_price: 450 }] };
const pack: components['schemas']['CreateQuotePackInput'] = { items: [{ unit_price: 450, tier: 'good' }] };
const fee: paths['/v1/late-fee']['get']['parameters']['query'] = { amount: 1250, due_date: '2026-09-01' };
const byPost: components['schemas']['GetLateFeeNoticeInput'] = { amount: 1250, due_date: '2026-09-01', currency: 'EUR' };
// @ts-expect-error: it cannot be left out.
const none: typeof fee = { amount: 1250 };
// @ts-expect-error: a currency has three letters that somebody uses.
const other: typeof byPost = { ...byPost, currency: 'XYZ' };
export { byPost, fee, none, other, pack, quote };
`,
  );
  const { stdout } = run('typescript/bin/tsc', '--noEmit', '--strict', '--skipLibCheck', 'caller.ts');
  expect(stdout).toBe('');
});
