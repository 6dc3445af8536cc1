import { describe, expect, it } from 'vitest';
import { createGuard } from './guard.ts';

describe('a public server', () => {
  const allows = createGuard('https://calc.example');

  it('answers to its own host and to a proxy beside it, whatever the port', () => {
    expect(allows('calc.example', undefined)).toBe(true);
    expect(allows('calc.example:8443', undefined)).toBe(true);
    expect(allows('127.0.0.1:4021', undefined)).toBe(true);
    expect(allows('[::1]:4021', undefined)).toBe(true);
  });

  it('answers to no other host', () => {
    const foreign = [
      'evil.example',
      'calc.example.evil.example',
      'calc.example@evil.example',
      'evil.example/calc.example',
      'evil.example#calc.example',
      '',
      ':',
    ];
    for (const host of foreign) expect([host, allows(host, undefined)]).toEqual([host, false]);
    expect(allows(undefined, undefined)).toBe(false);
  });

  it('takes requests of its own pages and of no other, not even of a local one', () => {
    expect(allows('calc.example', 'https://calc.example')).toBe(true);
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', 'file://', 'calc.example'])
      expect([origin, allows('calc.example', origin)]).toEqual([origin, false]);
  });
});

it('takes requests of local pages when it is local itself', () => {
  const allows = createGuard('http://127.0.0.1:4021');
  expect(allows('localhost:4021', 'http://localhost:6274')).toBe(true);
  expect(allows('127.0.0.1:4021', 'http://evil.example')).toBe(false);
  expect(allows('evil.example', undefined)).toBe(false);
});
