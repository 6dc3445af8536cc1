import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Setting, settingsTable } from '../../src/config/settings.ts';
import { envExample, settingsMarkdown } from './settings-text.ts';

const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const rows: readonly Setting[] = settingsTable;

test('.env.example matches the table of settings', () => {
  expect(example).toBe(envExample());
});

test('a copy of .env.example changes nothing, and the values in its comments are the defaults', () => {
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('# '))).toEqual([]);
  const assignments = [...example.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(assignments.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
  const defaults = assignments.filter(([name]) =>
    rows.some((row) => row.name === name && row.fallback !== null),
  );
  expect(defaults.length).toBe(rows.filter(({ fallback }) => fallback !== null).length);
  expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}));
});

test('the settings that are read are the settings that are listed', () => {
  const asked = new Set<string>();
  readConfig(
    new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name));
          return undefined;
        },
      },
    ),
  );
  const files = rows.filter(({ secret }) => secret).map(({ name }) => `${name}_FILE`);
  expect([...asked].sort()).toEqual([...rows.map(({ name }) => name), ...files].sort());
  // A deployment may need 24 settings. One more is allowed because it saves every operator two releases a year.
  expect(rows.length).toBeLessThanOrEqual(25);
});

test('the Markdown tables have a row for every setting, with its default', () => {
  const lines = settingsMarkdown()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(lines.length).toBe(rows.length);
  expect(lines).toContain('| `PORT` | `4021` | TCP port to listen on, 1 to 65535. |');
  expect(lines).toContain('| `HOST` | `127.0.0.1` | Address or host name to listen on. |');
  for (const line of lines) expect(line.split('|').length).toBe(5);
});

test('settings that hold a credential are marked as secret', () => {
  expect(rows.filter((row) => row.secret).map(({ name }) => name)).toEqual([
    'RPC_URLS',
    'RELAYER_KEY',
    'CDP_API_KEY_ID',
    'CDP_API_KEY_SECRET',
    'REDIS_URL',
    'RECEIPT_KEYS',
    'OPERATOR_TOKEN',
  ]);
});
