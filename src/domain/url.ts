/**
 * A text as a URL, relative to `base` where one is given; null when it is none. Node.js 20 answers `URL.canParse` wrongly
 * for a host with letters such as ü once the call is compiled, so nothing asks it.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
