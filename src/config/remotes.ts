import { isHost } from './listening.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';
import { isPrivateChannel, webAddress } from './web-address.ts';

/** Whom the service asks, and believes. */
export interface Remotes {
  /** Secret because keys are part of most such URLs. */
  readonly rpcUrls: readonly Secret[];
  readonly redisUrl: Secret | null;
}

const mostRpcUrls = 8;
const mostHosts = 16;
const notEncrypted =
  'is not encrypted on its way, so that whoever sits there could make things up; in production use TLS, or name its host in PLAIN_TEXT_HOSTS if that is meant';

/** The nodes and the store of claims. In production plain text is refused unless it is named as meant. */
export function readRemotes(reading: Reading, production: boolean): Remotes {
  const meant = new Set(readHosts(reading));
  const isSafe = (url: URL) =>
    !production || isPrivateChannel(url) || meant.has(url.hostname.replace(/^\[|\]$/g, '').toLowerCase());
  return { rpcUrls: readRpcUrls(reading, isSafe), redisUrl: readRedisUrl(reading, isSafe) };
}

function readHosts(reading: Reading): readonly string[] {
  return reading.list('PLAIN_TEXT_HOSTS', mostHosts).map((entry, index) => {
    if (!isHost(entry))
      reading.fault('PLAIN_TEXT_HOSTS', `entry ${index + 1} must be an IP address or a host name`);
    return entry.toLowerCase();
  });
}

function readRpcUrls(reading: Reading, isSafe: (url: URL) => boolean): readonly Secret[] {
  return reading.list('RPC_URLS', mostRpcUrls).map((entry, index) => {
    const url = webAddress(entry);
    const fault = typeof url === 'string' ? url : isSafe(url) ? null : notEncrypted;
    if (fault !== null) reading.fault('RPC_URLS', `entry ${index + 1} ${fault}`);
    return new Secret(entry);
  });
}

function readRedisUrl(reading: Reading, isSafe: (url: URL) => boolean): Secret | null {
  const text = reading.text('REDIS_URL');
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    return reading.fault('REDIS_URL', 'must be a redis:// or rediss:// URL');
  return isSafe(url) ? new Secret(text) : reading.fault('REDIS_URL', notEncrypted);
}
