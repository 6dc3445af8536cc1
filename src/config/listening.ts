import { isIP, isIPv6 } from 'node:net';
import type { Reading } from './reading.ts';
import { readToken } from './risk.ts';
import type { Secret } from './secret.ts';
import { isLoopback, originOf } from './web-address.ts';

export interface Listening {
  readonly port: number;
  readonly host: string;
  readonly embeddedChainPort: number | null;
  readonly publicBaseUrl: string;
  /** How long connections are still taken once the service has said that it ends. */
  readonly drainDelaySeconds: number;
  /** null: nothing is measured. */
  readonly metrics: MetricsListening | null;
}

/** Where metrics are shown, and to whom: null to everybody who can connect. */
export interface MetricsListening {
  readonly port: number;
  readonly host: string;
  readonly token: Secret | null;
}

/** Where the service listens, and under which origin it is reached. */
export function readListening(reading: Reading, production: boolean): Listening {
  const port = reading.whole('PORT', 1, 65_535);
  const host = reading.text('HOST') ?? '';
  if (!reading.faulty('HOST') && !isHost(host)) reading.fault('HOST', 'must be an IP address or a host name');
  const embeddedChainPort = reading.given('EMBEDDED_CHAIN_PORT')
    ? reading.whole('EMBEDDED_CHAIN_PORT', 1, 65_535)
    : null;
  if (embeddedChainPort === port && !reading.faulty('PORT') && !reading.faulty('EMBEDDED_CHAIN_PORT'))
    reading.fault('EMBEDDED_CHAIN_PORT', 'is the same port as PORT');
  const publicBaseUrl = reading.given('PUBLIC_BASE_URL')
    ? readOrigin(reading, production)
    : localOrigin(reading, { host, port, production });
  const drainDelaySeconds = reading.whole('DRAIN_DELAY_SECONDS', 0, 300);
  const metrics = readMetrics(reading, [port, embeddedChainPort]);
  return { port, host, embeddedChainPort, publicBaseUrl, drainDelaySeconds, metrics };
}

function readMetrics(reading: Reading, taken: readonly (number | null)[]): MetricsListening | null {
  const host = reading.text('METRICS_HOST') ?? '';
  if (!reading.faulty('METRICS_HOST') && !isHost(host))
    reading.fault('METRICS_HOST', 'must be an IP address or a host name');
  const token = readToken(reading, 'METRICS_TOKEN');
  if (!reading.given('METRICS_PORT')) return null;
  const port = reading.whole('METRICS_PORT', 1, 65_535);
  if (taken.includes(port) && !reading.faulty('METRICS_PORT'))
    reading.fault('METRICS_PORT', 'is a port that another setting names');
  if (
    token === null &&
    !reading.faulty('METRICS_TOKEN') &&
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
  return reading.faulty('HOST') ? '' : new URL(`http://${callable(at.host)}:${at.port}`).origin;
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host as a URL names it. A wildcard says where to listen, not where to call: this machine then. */
function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** Whether a text is an IP address or the name of a host. */
export function isHost(text: string): boolean {
  const named = text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
  // A name that ends in a number, such as 127.0.0.256, is an address gone wrong: no URL takes it.
  return (isIP(text) !== 0 || named) && URL.canParse(`http://${callable(text)}`);
}
