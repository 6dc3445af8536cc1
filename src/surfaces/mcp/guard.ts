import { parseUrl } from '../../domain/url.ts';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const hostnameOf = (text: string): string | null => {
  const url = parseUrl(text);
  return url === null || url.hostname === '' ? null : url.hostname;
};

/**
 * Makes the check against DNS rebinding: whether a request cannot come from a foreign page. Browsers send `Origin` with
 * every POST, and it must be the service's own host; a loopback page may only call a loopback server. `Host` is checked
 * only by a server whose own address is loopback, which has no proxy in front: without `Origin` a caller of a public
 * server is no browser, and proxies often write a host of their own.
 */
export function createGuard(
  baseUrl: string,
): (host: string | undefined, origin: string | undefined) => boolean {
  const own = hostnameOf(baseUrl) ?? '';
  const isLocal = LOOPBACK.includes(own);
  const origins = new Set(isLocal ? LOOPBACK : [own]);
  // Nearly every request names the same host.
  let lastGood = '';
  const isHost = (host: string): boolean => {
    if (host === lastGood) return true;
    const hostname = /[/?#@\\]/.test(host) ? null : hostnameOf(`http://${host}`);
    if (hostname === null || !LOOPBACK.includes(hostname)) return false;
    lastGood = host;
    return true;
  };
  return (host, origin) => {
    if (isLocal && (host === undefined || !isHost(host))) return false;
    if (origin === undefined || origin === '') return true;
    if (!/^https?:\/\//i.test(origin)) return false;
    const from = hostnameOf(origin);
    return from !== null && origins.has(from);
  };
}
