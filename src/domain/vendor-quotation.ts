/**
 * A vendor's quote as a reader should see it: one line, without Markdown marks and link targets.
 * For reports and pages; in its listing a quote stays raw, so that anybody can find it at its source.
 */
export function displayQuote(raw: string): string {
  return raw
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\](?!\()/g, '$1')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/(^|\s)[*_](\S(?:[^*_]*\S)?)[*_](?=\W|$)/g, '$1$2')
    .replace(/^\s*(?:#{1,6}|[-*+]|>)\s+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
