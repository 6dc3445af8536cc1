/** Lines of a YAML price list that repeat in fields what its text already says. */
const YAML_FIELDS = /(?:\n *(?:price|currency|period|unit): .*)+/g;
/** The key before the vendor's own words. */
const YAML_KEYS = /\n *(?:price_text|included_quota|overage): /g;

/**
 * A vendor's quote as people should see it: one line, without Markdown marks, link targets and YAML keys. Reports and
 * pages use it. A listing keeps the quote unchanged, so that anybody can find it at its source.
 */
export function displayQuote(raw: string): string {
  // Pages and reports put the text in quotation marks of their own.
  const words = /^".*"$/s.test(raw) ? raw.replaceAll('"', '') : raw;
  return words
    .replace(YAML_FIELDS, (fields) => (raw.includes('price_text:') ? ' …' : fields.replace(/\n */g, ', ')))
    .replace(YAML_KEYS, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\](?!\()/g, '$1')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/(^|\s)[*_](\S(?:[^*_]*\S)?)[*_](?=\W|$)/g, '$1$2')
    .replace(/^\s*(?:#{1,6}|[-*+]|>)\s+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
