import { isIP, isIPv6 } from 'node:net';
import { parseUrl } from '../domain/url.ts';
import type { Reading } from './reading.ts';
import { readToken } from './risk.ts';
import type { Secret } from './secret.ts';
import { isLoopback, originOf } from './web-address.ts';

export type Listening = {
  readonly port: number;
  readonly host: string;
  /** null: any free port. */
  readonly embeddedChainPort: number | null;
  /** An origin without a closing slash. */
  readonly publicBaseUrl: string;
  /** How long connections are still accepted after the service has announced its end. */
  readonly drainDelaySeconds: number;
  /** null: no metrics. */
  readonly metrics: MetricsListening | null;
};

/** Where metrics are served, and the token that they need; null when everybody who can connect may read them. */
export type MetricsListening = {
  readonly port: number;
  readonly host: string;
  readonly token: Secret | null;
};

/** Reads where the service listens and its public origin. */
export function readListening(reading: Reading, production: boolean): Listening {
  const port = reading.whole('PORT', 1, 65_535);
  const host = reading.text('HOST') ?? '';
  if (!reading.isFaulty('HOST') && !isHost(host))
    reading.fault('HOST', 'must be an IP address or a host name');
  const embeddedChainPort = reading.isSet('EMBEDDED_CHAIN_PORT')
    ? reading.whole('EMBEDDED_CHAIN_PORT', 1, 65_535)
    : null;
  if (embeddedChainPort === port && !reading.isFaulty('PORT') && !reading.isFaulty('EMBEDDED_CHAIN_PORT'))
    reading.fault('EMBEDDED_CHAIN_PORT', 'is the same port as PORT');
  const publicBaseUrl = reading.isSet('PUBLIC_BASE_URL')
    ? readOrigin(reading, production)
    : localOrigin(reading, { host, port, production });
  const drainDelaySeconds = reading.whole('DRAIN_DELAY_SECONDS', 0, 300);
  const metrics = readMetrics(reading, [port, embeddedChainPort]);
  return { port, host, embeddedChainPort, publicBaseUrl, drainDelaySeconds, metrics };
}

function readMetrics(reading: Reading, taken: readonly (number | null)[]): MetricsListening | null {
  const host = reading.text('METRICS_HOST') ?? '';
  if (!reading.isFaulty('METRICS_HOST') && !isHost(host))
    reading.fault('METRICS_HOST', 'must be an IP address or a host name');
  const token = readToken(reading, 'METRICS_TOKEN');
  if (!reading.isSet('METRICS_PORT')) return null;
  const port = reading.whole('METRICS_PORT', 1, 65_535);
  if (taken.includes(port) && !reading.isFaulty('METRICS_PORT'))
    reading.fault('METRICS_PORT', 'is a port that another setting names');
  if (
    token === null &&
    !reading.isFaulty('METRICS_TOKEN') &&
    !isLoopback(isWildcard(host) ? host : callable(host))
  )
    reading.fault('METRICS_TOKEN', 'is missing; METRICS_HOST lets other machines ask');
  return { port, host, token };
}

function readOrigin(reading: Reading, production: boolean): string {
  const text = reading.text('PUBLIC_BASE_URL');
  const read = text === null ? '' : originOf(text);
  if (typeof read === 'string') {
    if (read !== '') reading.fault('PUBLIC_BASE_URL', read);
    return '';
  }
  if (production && !read.origin.startsWith('https:'))
    reading.fault('PUBLIC_BASE_URL', 'must be https in production');
  return read.origin;
}

function localOrigin(reading: Reading, at: { host: string; port: number; production: boolean }): string {
  if (at.production)
    reading.fault(
      'PUBLIC_BASE_URL',
      'is missing; production needs the https origin under which callers come',
    );
  return reading.isFaulty('HOST') ? '' : new URL(`http://${callable(at.host)}:${at.port}`).origin;
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host as it stands in a URL. A wildcard says where to listen, not where to call, so it becomes this machine. */
function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** Whether a text is an IP address or the name of a host. */
export function isHost(text: string): boolean {
  const named = text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
  // A name that ends in a number, such as 127.0.0.256, is a mistyped address, which no URL accepts.
  return (isIP(text) !== 0 || named) && parseUrl(`http://${callable(text)}`) !== null;
}
