import { parseUrl } from '../domain/url.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** An http(s) URL without credentials or fragment, or what is wrong with the text. */
export function webAddress(text: string): URL | string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/\\]/i.test(text))
    return 'is not an http:// or https:// URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (text.includes('#')) return 'must not have a fragment';
  return url;
}

/** Whether a host is this machine; an IPv6 address may have brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether a connection stays on this machine or is encrypted. */
export function isPrivateChannel(url: URL): boolean {
  return /^(https|rediss):$/.test(url.protocol) || isLoopback(url.hostname);
}

/** The origin of an http(s) URL that is nothing but an origin (one closing slash is dropped), or what is wrong. */
export function originOf(text: string): { readonly origin: string } | string {
  const url = webAddress(text);
  if (typeof url === 'string') return url;
  if (url.pathname !== '/' || text.includes('?'))
    return 'must be an origin such as https://calc.example, without a path or query';
  return { origin: url.origin };
}
