import { createHash, timingSafeEqual } from 'node:crypto';

/** Checks a bearer token in constant time. */
export function bearerOf(token: string | null): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (token === null) return () => false;
  const expected = digest(token);
  return (header) => {
    const shown = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header ?? '')?.[1];
    return shown !== undefined && timingSafeEqual(digest(shown), expected);
  };
}
