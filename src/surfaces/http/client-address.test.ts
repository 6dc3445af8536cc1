import { isIPv4, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClientAddress, directPeer } from './client-address.ts';

const trustingNobody = createClientAddress([]);
const behindProxies = createClientAddress([
  { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '127.0.0.1', prefix: 32, family: 'ipv4' },
  { address: 'fd00::', prefix: 8, family: 'ipv6' },
]);

function forwarded(forwardedFor: string, socketAddress = '10.0.0.1') {
  return behindProxies({ socketAddress, forwardedFor });
}

describe('by default, the client address', () => {
  test.each(['198.51.100.9', '127.0.0.1', '10.0.0.1, 198.51.100.9', 'garbage', ''])(
    'does not depend on X-Forwarded-For: %s',
    (forwardedFor) => {
      expect(trustingNobody({ socketAddress: '203.0.113.7', forwardedFor })).toBe('203.0.113.7');
    },
  );

  test('is the address of the connection', () => {
    expect(trustingNobody({ socketAddress: '203.0.113.7', forwardedFor: null })).toBe('203.0.113.7');
    expect(trustingNobody({ socketAddress: '::ffff:203.0.113.7', forwardedFor: undefined })).toBe(
      '203.0.113.7',
    );
    expect(trustingNobody({ socketAddress: '::FFFF:cb00:7107', forwardedFor: null })).toBe('203.0.113.7');
    expect(trustingNobody({ socketAddress: '0:0:0:0:0:ffff:203.0.113.7', forwardedFor: null })).toBe(
      '203.0.113.7',
    );
  });

  test('is the same for all addresses of an IPv6 /64, and another for the next /64', () => {
    const named = (socketAddress: string) => trustingNobody({ socketAddress, forwardedFor: null });
    expect(named('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(named('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
    expect(named('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(named('2001:db8::')).toBe('2001:db8:0:0::/64');
    expect(named('::1')).toBe('0:0:0:0::/64');
    for (const zone of ['eth0', 'a:b', '1-2.3']) expect(named(`fe80::1%${zone}`)).toBe('fe80:0:0:0::/64');
    expect(named('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64');
  });

  test('is the same for all connections without an address', () => {
    expect(trustingNobody({ socketAddress: undefined, forwardedFor: null })).toBe('unknown');
    expect(trustingNobody({ socketAddress: '', forwardedFor: '198.51.100.9' })).toBe('unknown');
  });
});

describe('behind trusted proxies, the client address', () => {
  test('is the first untrusted hop from the right', () => {
    expect(forwarded('198.51.100.9')).toBe('198.51.100.9');
    expect(forwarded('1.1.1.1, 198.51.100.9, 10.9.9.9')).toBe('198.51.100.9');
    expect(forwarded('10.2.2.2,198.51.100.9')).toBe('198.51.100.9');
    expect(forwarded('198.51.100.9, fd00::1, 10.9.9.9', '::ffff:10.0.0.1')).toBe('198.51.100.9');
  });

  test('does not depend on the header of a connection from elsewhere', () => {
    expect(forwarded('198.51.100.9', '192.0.2.200')).toBe('192.0.2.200');
  });

  test('is the farthest hop if all hops are trusted', () => {
    expect(forwarded('10.1.1.1, 10.2.2.2')).toBe('10.1.1.1');
  });

  test.each([
    ['198.51.100.9:51820', '198.51.100.9'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['[fe80::1%eth0]:443', 'fe80:0:0:0::/64'],
    ['[::ffff:198.51.100.9]:443', '198.51.100.9'],
    ['  198.51.100.9\t', '198.51.100.9'],
  ])('of the hop %s is %s', (hop, caller) => {
    expect(forwarded(hop)).toBe(caller);
    expect(forwarded(`192.0.2.66, ${hop} ,10.9.9.9`)).toBe(caller);
  });

  test.each([
    'unknown',
    '_hidden',
    '',
    ' ',
    '198.51.100',
    '198.51.100.256',
    '0198.51.100.9',
    '198.51.100.9:port',
    '198.51.100.9%eth0',
    '[198.51.100.9]',
    '[2001:db8::1',
    '2001:db8::1]',
    '2001:db8:1:2:3:4:5:6:443:7',
    '"198.51.100.9"',
    'for=198.51.100.9',
    '198.51.100.9 192.0.2.1',
    '１98.51.100.9',
    'a'.repeat(10_000),
  ])('is the last valid hop before the malformed hop "%s"', (hop) => {
    expect(forwarded(hop)).toBe('10.0.0.1');
    expect(forwarded(`192.0.2.66, ${hop}, 10.9.9.9`)).toBe('10.9.9.9');
  });

  test('is found among at most 16 hops', () => {
    expect(forwarded(`198.51.100.9${',10.0.0.2'.repeat(15)}`)).toBe('198.51.100.9');
    expect(forwarded(`198.51.100.9,10.0.0.3${',10.0.0.2'.repeat(15)}`)).toBe('10.0.0.3');
  });
});

describe('for any input, the client address', () => {
  const ipv6 = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  const noise = fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.,[]% '), maxLength: 60 });

  test("is the caller's own, regardless of what it sends", () => {
    fc.assert(
      fc.property(fc.oneof(noise, fc.string()), fc.ipV4(), (written, caller) => {
        fc.pre(!/^(10|127)\./.test(caller));
        expect(forwarded(`${written},${caller}`)).toBe(caller);
        expect(forwarded(written, caller)).toBe(caller);
      }),
    );
  });

  test('is an IPv4 address, a /64 or unknown, and no exception is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(noise, fc.string(), fc.ipV6()), (text) => {
        for (const name of [forwarded(text), forwarded('192.0.2.1', text)])
          expect(isIPv4(name) || name === 'unknown' || /^([0-9a-f]{1,4}:){4}:\/64$/.test(name)).toBe(true);
      }),
    );
  });

  test('is the same in every notation of an IPv6 address', () => {
    fc.assert(
      fc.property(ipv6, fc.boolean(), (groups, upper) => {
        const full = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new SocketAddress({ address: full, family: 'ipv6' }).address;
        const spelled = upper ? full.toUpperCase() : full;
        const name = trustingNobody({ socketAddress: spelled, forwardedFor: null });
        expect(trustingNobody({ socketAddress: short, forwardedFor: null })).toBe(name);
        if (groups[5] !== 0xffff)
          expect(name).toBe(
            `${groups
              .slice(0, 4)
              .map((group) => group.toString(16))
              .join(':')}::/64`,
          );
      }),
    );
  });
});

test('connections are counted by IPv4 address or IPv6 /64, except connections of a trusted proxy', () => {
  const peerOf = directPeer([
    { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
  ]);
  expect(['203.0.113.7', '::ffff:203.0.113.7'].map(peerOf)).toEqual(['203.0.113.7', '203.0.113.7']);
  expect(['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map(peerOf)).toEqual(Array(2).fill('2001:db8:1:2::/64'));
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'].map(peerOf)).toEqual([null, null, null]);
  expect(peerOf(undefined)).toBe('unknown');
});
