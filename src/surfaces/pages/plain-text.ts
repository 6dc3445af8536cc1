import { type Block, spans, type Text } from './content.ts';

/** Blocks as text for an email: no markup, each heading on its own line, and links followed by their address. */
export function blocksText(blocks: readonly Block[], baseUrl: string): string {
  const inline = (text: Text): string => inlineText(text, baseUrl);
  const textOf = (block: Block): string => {
    if ('heading' in block) return inline(block.heading).toUpperCase();
    if ('subheading' in block) return inline(block.subheading);
    if ('text' in block) return inline(block.text);
    if ('note' in block) return inline(block.note);
    if ('lines' in block) return block.lines.join('\n');
    if ('list' in block) return block.list.map((entry) => `- ${inline(entry)}`).join('\n');
    if ('todo' in block) return block.todo.map((entry) => `[ ] ${inline(entry)}`).join('\n');
    if ('steps' in block) return block.steps.map((step, index) => `${index + 1}. ${inline(step)}`).join('\n');
    if ('quotation' in block) return `${block.quotation}\n${inline(block.source)}`;
    if ('letter' in block) return block.letter;
    if ('code' in block) return block.code;
    if ('figures' in block) return block.figures.map(({ label, value }) => `${label}: ${value}`).join('\n');
    const { head, rows } = block.table;
    return rows.map((row) => rowText(head, row.map(inline))).join('\n');
  };
  return `${blocks.map(textOf).join('\n\n')}\n`;
}

/** Running text, with each link followed by its address. */
const inlineText = (text: Text, baseUrl: string): string =>
  spans(text)
    .map((span) => {
      if (typeof span === 'string') return span;
      if ('code' in span) return span.code;
      return `${span.link} (${span.href.startsWith('/') ? baseUrl : ''}${span.href})`;
    })
    .join('');

/** "Due: 4 September 2026"; with several values, each is labeled with its column. */
const rowText = (head: readonly string[], [first = '', ...values]: readonly string[]): string => {
  const named = values.map((value, index) => (values[1] && value ? `${head[index + 1]} ${value}` : value));
  return `${first}: ${named.filter(Boolean).join(', ')}`;
};
