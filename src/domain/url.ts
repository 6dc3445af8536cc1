/**
 * A text as a URL, relative to `base` if given; null if it is not one. In Node.js 20, a compiled call of `URL.canParse`
 * gives wrong answers for a host with letters such as ü, so nothing uses it.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
