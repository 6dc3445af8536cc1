import { expect, it } from 'vitest';
import { parseUrl } from './url.ts';

it('a URL may have a host with letters outside ASCII, even after many calls', () => {
  const hosts = new Set<string | undefined>();
  for (let count = 0; count < 100_000; count += 1) hosts.add(parseUrl('https://bücher.example')?.host);
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});

it('a relative address is resolved against its base, and a text that is not a URL gives null', () => {
  expect(parseUrl('/a', 'https://calc.example')?.href).toBe('https://calc.example/a');
  expect(parseUrl('/a')).toBeNull();
});
