import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';

export type Address = { readonly address: string; readonly family: 4 | 6 };

/** How names are resolved to addresses, and which of these may be called. The command line always uses `publicNetwork`. */
export type Network = {
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /**
   * Only tests set a port: hosts that resolve to this machine are then called there over plain http. With null, which
   * the command line always uses, an address of this machine is refused like every private address.
   */
  readonly loopbackPort: number | null;
};

export const publicNetwork: Network = {
  resolve: async (host) =>
    (await lookup(host, { all: true })).map(({ address, family }) => ({
      address,
      family: family === 6 ? 6 : 4,
    })),
  loopbackPort: null,
};

/** The page must not be requested; the message says why. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

// Only this part of IPv6 is assigned to the public internet; the rest has special meanings, including several
// notations of IPv4.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The kind of an address; `unicast` is a public one. */
function rangeOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'no address';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  const isElsewhere = parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST);
  return range === 'unicast' && isElsewhere ? 'reserved' : range;
}

const isCallable = ({ address }: Address, network: Network): boolean =>
  rangeOf(address) === 'unicast' || loopbackPortOf(address, network) !== null;

/** The port of the test server if an address means that server; otherwise null. */
export const loopbackPortOf = (address: string, network: Network): number | null =>
  rangeOf(address) === 'loopback' ? network.loopbackPort : null;

/** Only https on its standard port and without credentials is allowed. */
export function assertPublicUrl(url: URL): void {
  if (url.username !== '' || url.password !== '') throw new ForbiddenAddress('the address holds credentials');
  if (url.protocol !== 'https:') throw new ForbiddenAddress('the address is not https');
  if (url.port !== '') throw new ForbiddenAddress('the address names a port');
}

/**
 * The addresses of a host, all of them public; the connection uses exactly these, so that a second DNS answer cannot
 * lead elsewhere. If one of them is private, the host is refused.
 */
export async function publicAddresses(host: string, network: Network): Promise<[Address, ...Address[]]> {
  const literal = host.replace(/^\[|\]$/g, '');
  const [first, ...others]: readonly Address[] = ipaddr.isValid(literal)
    ? [{ address: literal, family: ipaddr.parse(literal).kind() === 'ipv6' ? 6 : 4 }]
    : await network.resolve(host);
  if (first === undefined || ![first, ...others].every((address) => isCallable(address, network)))
    throw new ForbiddenAddress('the address is not on the public internet');
  return [first, ...others];
}

/** The registrable name that a vendor's hosts share: pricing.vendor.co.uk and vendor.co.uk are one site. */
export const siteOf = (url: string): string => {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
};
