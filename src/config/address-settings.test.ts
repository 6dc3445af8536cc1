import { describe, expect, test } from 'vitest';
import { configOf, faultsOf } from '../../test/support/config.ts';

describe('the address settings', () => {
  test.each(['0', '65536', '-1', '1e3', '0x50', '80.0', '８０', '+80', '8 0', '99999999999999999999'])(
    'refuse PORT %s',
    (port) => {
      expect(faultsOf({ PORT: port })).toEqual(['PORT must be a whole number from 1 to 65535']);
    },
  );

  test.each([
    ['localhost', 'http://localhost:4021'],
    ['0.0.0.0', 'http://127.0.0.1:4021'],
    ['::', 'http://[::1]:4021'],
    ['::1', 'http://[::1]:4021'],
    ['10.1.2.3', 'http://10.1.2.3:4021'],
  ])('make HOST %s reachable as %s', (host, origin) => {
    expect(configOf({ HOST: host }).publicBaseUrl).toBe(origin);
  });

  test.each(['127.0.0.256', 'a b', 'http://x', '[::1]', 'fe80::1%eth0', '-a', `${'a.'.repeat(40)}!`])(
    'refuse HOST %s',
    (host) => {
      expect(faultsOf({ HOST: host })).toEqual(['HOST must be an IP address or a host name']);
    },
  );

  test.each([
    ['https://calc.example', 'https://calc.example'],
    ['https://calc.example/', 'https://calc.example'],
    ['HTTPS://Calc.Example:443', 'https://calc.example'],
    ['http://[::1]:4021', 'http://[::1]:4021'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('read PUBLIC_BASE_URL %s as the origin %s', (text, origin) => {
    expect(configOf({ PUBLIC_BASE_URL: text }).publicBaseUrl).toBe(origin);
  });

  test.each([
    'https://calc.example/shop',
    'https://calc.example//',
    'https://calc.example/?',
    'https://calc.example?a=1',
    'https://calc.example#top',
    'https://user:pass@calc.example',
    'ftp://calc.example',
    'https:calc.example',
    'calc.example',
    '//calc.example',
    'https://',
  ])('refuse PUBLIC_BASE_URL %s', (text) => {
    expect(faultsOf({ PUBLIC_BASE_URL: text })).toEqual([
      expect.stringMatching(/^PUBLIC_BASE_URL (is|must)/),
    ]);
  });
});

const tooWide = (prefix: number) =>
  `is wider than /${prefix}: callers in it could choose their own address; list only the ranges of the proxies`;

describe('an entry of TRUSTED_PROXIES', () => {
  test.each(['10.0.0.0/8', '2a06::/16', 'fd00::/8', 'fc00::/7'])('may be %s', (range) => {
    expect(faultsOf({ TRUSTED_PROXIES: range })).toEqual([]);
  });

  test.each([
    ['10.0.0.0/33', 'is not an IP address or a CIDR range'],
    ['10.0.0/8', 'is not an IP address or a CIDR range'],
    ['10.0.0.0/', 'is not an IP address or a CIDR range'],
    ['10.0.0.0/8/8', 'is not an IP address or a CIDR range'],
    ['fd00::/129', 'is not an IP address or a CIDR range'],
    ['fe80::1%eth0', 'is not an IP address or a CIDR range'],
    ['*', 'is not an IP address or a CIDR range'],
    ['0.0.0.0/0', tooWide(8)],
    ['0.0.0.0/1', tooWide(8)],
    ['128.0.0.0/1', tooWide(8)],
    ['10.0.0.0/7', tooWide(8)],
    ['::/0', tooWide(16)],
    ['::/1', tooWide(16)],
    ['2000::/3', tooWide(16)],
    ['2a00::/12', tooWide(16)],
    ['fc::/8', tooWide(16)],
    ['fc00::/6', tooWide(7)],
    ['::ffff:10.0.0.0/104', 'is an IPv4 range in IPv6 notation; write the IPv4 range'],
  ])('is refused if it is %s', (range, detail) => {
    expect(faultsOf({ TRUSTED_PROXIES: `192.0.2.1,${range}` })).toEqual([
      `TRUSTED_PROXIES entry 2 ${detail}`,
    ]);
  });
});
