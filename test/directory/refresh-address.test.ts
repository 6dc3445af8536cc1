import { describe, expect, test } from 'vitest';
import {
  assertPublicUrl,
  ForbiddenAddress,
  publicAddresses,
  publicNetwork,
  siteOf,
} from '../../tools/directory/refresh-address.ts';

const resolvingTo = (...addresses: string[]) => ({
  resolve: async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) })),
  loopbackPort: null,
});

describe('an address', () => {
  test.each([
    ...'127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0'.split(' '),
    ...'255.255.255.255 224.0.0.1 192.0.2.1 ::1 :: fe80::1 fd00::1 ::ffff:10.0.0.1'.split(' '),
    // IPv4-compatible, IPv4-translated, NAT64, 6to4, Teredo: IPv4 addresses in IPv6 notation.
    ...'::7f00:1 ::10.0.0.1 ::ffff:0:a00:1 ::ffff:0:10.0.0.1 0:0:0:0:0:0:7f00:1'.split(' '),
    ...'::ffff:7f00:1 64:ff9b::a00:1 64:ff9b:1::a00:1 2002:a00:1:: 2002:7f00:1::1'.split(' '),
    ...'2001::a00:1 2001:0:4136:e378:8000:63bf:80ff:fffe'.split(' '),
    // Documentation, discard, benchmarking, site-local, segment routing, and unassigned ranges.
    ...'2001:db8::1 3fff::1 100::1 2001:2::1 fec0::1 5f00::1 4000::1 ff02::1 fe80::1%1'.split(' '),
    // Addresses with several notations on the internet.
    ...'127.1 0x7f000001 017700000001 2130706433'.split(' '),
  ])('is never called if it is not public: %s', async (address) => {
    await expect(publicAddresses('vendor.test', resolvingTo(address))).rejects.toThrow(ForbiddenAddress);
    const literal = address.includes(':') ? `[${address}]` : address;
    await expect(publicAddresses(literal, publicNetwork)).rejects.toThrow(ForbiddenAddress);
  });

  test('is called exactly as it was checked if it is public', async () => {
    const network = resolvingTo('93.184.215.14', '2606:2800:21f::1');
    expect(await publicAddresses('vendor.test', network)).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:2800:21f::1', family: 6 },
    ]);
  });

  test('is refused if one of its DNS answers is private', async () => {
    const network = resolvingTo('93.184.215.14', '10.0.0.1');
    await expect(publicAddresses('vendor.test', network)).rejects.toThrow(ForbiddenAddress);
  });

  test('is refused if its name has no address', async () => {
    await expect(publicAddresses('vendor.test', resolvingTo())).rejects.toThrow(ForbiddenAddress);
  });
});

test.each([
  'http://vendor.com/',
  'https://vendor.com:8443/',
  'https://me:word@vendor.com/',
  'ftp://vendor.com/',
])('the URL %s is not requested', (url) => {
  expect(() => assertPublicUrl(new URL(url))).toThrow(ForbiddenAddress);
});

test.each([
  ['https://help.vendor.co.uk/plans', 'vendor.co.uk'],
  ['https://vendor.com/', 'vendor.com'],
  ['https://someone.github.io/', 'someone.github.io'],
  ['https://10.0.0.1/', '10.0.0.1'],
])('the site of %s is %s', (url, site) => {
  expect(siteOf(url)).toBe(site);
});
