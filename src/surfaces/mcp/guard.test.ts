import { describe, expect, it } from 'vitest';
import { createGuard } from './mcp.ts';

const PAGES_ELSEWHERE =
  'https://evil.example null file:// calc.example https://calc.example.evil.example'.split(' ');

describe('a public server', () => {
  const allows = createGuard('https://calc.example');

  it('answers programs under any Host that a proxy sends', () => {
    for (const host of [
      'calc.example',
      'calc.example:8443',
      '127.0.0.1:4021',
      'calc',
      'backend:4021',
      undefined,
    ])
      expect([host, allows(host, undefined)]).toEqual([host, true]);
  });

  it('accepts requests only from its own pages, not from a local page or a rebound domain name', () => {
    for (const host of ['calc.example', 'calc', 'evil.example']) {
      expect(allows(host, 'https://calc.example')).toBe(true);
      for (const origin of [...PAGES_ELSEWHERE, 'http://localhost:3000', `http://${host}.evil.example`])
        expect([host, origin, allows(host, origin)]).toEqual([host, origin, false]);
    }
    expect(allows('evil.example', 'http://evil.example')).toBe(false);
  });
});

describe('a local server', () => {
  const allows = createGuard('http://127.0.0.1:4021');

  it('answers under every name of the loopback interface', () => {
    for (const host of ['localhost:4021', '127.0.0.1:4021', '[::1]:4021', '127.0.0.1'])
      expect([host, allows(host, undefined)]).toEqual([host, true]);
  });

  it('does not answer under any other host', () => {
    const foreign = [
      'evil.example',
      'localhost.evil.example',
      'localhost@evil.example',
      'evil.example/localhost',
      'evil.example#localhost',
      '',
      ':',
      undefined,
    ];
    for (const host of foreign) expect([host, allows(host, undefined)]).toEqual([host, false]);
  });

  it('accepts requests only from local pages', () => {
    expect(allows('localhost:4021', 'http://localhost:6274')).toBe(true);
    for (const origin of [...PAGES_ELSEWHERE, 'http://evil.example'])
      expect([origin, allows('127.0.0.1:4021', origin)]).toEqual([origin, false]);
    expect(allows('evil.example', 'http://evil.example')).toBe(false);
  });
});
