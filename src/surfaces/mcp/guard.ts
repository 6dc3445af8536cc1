const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const hostnameOf = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url === null || url.hostname === '' ? null : url.hostname;
};

/**
 * Makes the check against DNS rebinding: does a request with these headers come to our own host, and from no
 * foreign page? `host` is that of PUBLIC_BASE_URL or loopback, whatever its port, for proxies often connect so.
 * `Origin` is only sent by browsers; it must be our own host's, and a loopback page may only call a loopback server.
 */
export function createGuard(
  baseUrl: string,
): (host: string | undefined, origin: string | undefined) => boolean {
  const own = hostnameOf(baseUrl) ?? '';
  const hosts = new Set([own, ...LOOPBACK]);
  const origins = LOOPBACK.includes(own) ? hosts : new Set([own]);
  // Nearly every request names the same host.
  let lastGood = '';
  const isHost = (host: string): boolean => {
    if (host === lastGood) return true;
    const hostname = /[/?#@\\]/.test(host) ? null : hostnameOf(`http://${host}`);
    if (hostname === null || !hosts.has(hostname)) return false;
    lastGood = host;
    return true;
  };
  return (host, origin) => {
    if (host === undefined || !isHost(host)) return false;
    if (origin === undefined || origin === '') return true;
    if (!/^https?:\/\//i.test(origin)) return false;
    const from = hostnameOf(origin);
    return from !== null && origins.has(from);
  };
}
