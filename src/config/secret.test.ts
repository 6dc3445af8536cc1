import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from './reading.ts';

const secret = new Secret('MARKED-a1b2c3');

test('only reveal() returns the value of a secret', () => {
  expect(secret.reveal()).toBe('MARKED-a1b2c3');
});

test.each([
  ['a template', `${secret}`],
  ['a sum', `key: ${String(secret)}`],
  ['a joined list', [secret, secret].join()],
  ['JSON', JSON.stringify({ nested: [secret] })],
  ['inspect', inspect({ nested: [secret] }, { showHidden: true, depth: null, customInspect: true })],
  ['inspect without its hook', inspect(secret, { showHidden: true, customInspect: false })],
  ['console formatting', format('%s %o %O %j', secret, secret, secret, secret)],
  ['its keys', JSON.stringify(Reflect.ownKeys(secret))],
  ['a spread copy', JSON.stringify({ ...secret })],
  ['a structured clone', inspect(structuredClone({ ...secret }))],
])('a secret is not shown by %s', (_, shown) => {
  expect(shown).not.toContain('MARKED');
});
