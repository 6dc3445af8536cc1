/**
 * A text as a URL, relative to `base` if given; null if it is not one. This replaces `URL.canParse`, which in Node.js
 * 20 gives wrong answers for a host with letters such as ü once V8 has compiled the call.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
