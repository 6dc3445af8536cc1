import { type RedisAddress, redisAddress } from '../platform/redis-address.ts';
import { isHost } from './listening.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';
import { isLoopback, isPrivateChannel, webAddress } from './web-address.ts';

/** The servers that the service depends on. */
export type Remotes = {
  /** Secret, because such URLs usually contain keys. */
  readonly rpcUrls: readonly Secret[];
  readonly redisUrl: Secret | null;
};

const MOST_RPC_URLS = 8;
const MOST_HOSTS = 16;
const NOT_ENCRYPTED =
  'is not encrypted on its way, so that whoever sits there could make things up; in production use TLS, or name its host in PLAIN_TEXT_HOSTS if that is meant';

const NAMES_OTHERS = `${NOT_ENCRYPTED.replace('name its host', 'name all its hosts')}: they name further servers, so that this machine is no exception`;

/**
 * Reads the nodes and the store of claims. In production plain text is refused unless PLAIN_TEXT_HOSTS names the
 * host.
 */
export function readRemotes(reading: Reading, production: boolean): Remotes {
  const hosts = reading.list('PLAIN_TEXT_HOSTS', MOST_HOSTS, (entry) =>
    isHost(entry) ? null : 'must be an IP address or a host name',
  );
  const meant = new Set(hosts.map((host) => host.toLowerCase()));
  const isMeant = (host: string) => meant.has(host.replace(/^\[|\]$/g, '').toLowerCase());
  const isSafe = (url: URL) => !production || isPrivateChannel(url) || isMeant(url.hostname);
  const isSafeRedis = ({ kind, hosts, isEncrypted }: RedisAddress) =>
    !production ||
    isEncrypted ||
    // Sentinels name further servers, so being on this machine is no exception for them.
    hosts.every(({ host }) => isMeant(host) || (kind === 'server' && isLoopback(host)));
  const rpcUrls = reading.list('RPC_URLS', MOST_RPC_URLS, (entry) => {
    const url = webAddress(entry);
    if (typeof url === 'string') return url;
    return isSafe(url) ? null : NOT_ENCRYPTED;
  });
  return {
    rpcUrls: rpcUrls.map((url) => new Secret(url)),
    redisUrl: readRedisUrl(reading, isSafeRedis),
  };
}

function readRedisUrl(reading: Reading, isSafe: (address: RedisAddress) => boolean): Secret | null {
  const text = reading.text('REDIS_URL');
  if (text === null) return null;
  const address = redisAddress(text);
  if (typeof address === 'string') return reading.fault('REDIS_URL', address);
  if (isSafe(address)) return new Secret(text);
  return reading.fault('REDIS_URL', address.kind === 'server' ? NOT_ENCRYPTED : NAMES_OTHERS);
}
