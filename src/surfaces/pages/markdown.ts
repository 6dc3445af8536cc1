import { type Block, type Page, type Span, spans, type Text } from './content.ts';

/** A page as Markdown. */
export function pageMarkdown({ title, description, blocks }: Page, baseUrl: string): string {
  const head = `# ${escaped(title)}\n\n> ${escaped(description)}`;
  return `${head}\n\n${blocksMarkdown(blocks, baseUrl)}`;
}

/** Blocks as Markdown with absolute links; ends with a line break. */
export function blocksMarkdown(blocks: readonly Block[], baseUrl: string): string {
  return `${blocks.map((block) => blockMarkdown(block, baseUrl)).join('\n\n')}\n`;
}

function blockMarkdown(block: Block, baseUrl: string): string {
  const inline = (text: Text) =>
    spans(text)
      .map((span) => spanMarkdown(span, baseUrl))
      .join('');
  if ('heading' in block) return `## ${inline(block.heading)}`;
  if ('subheading' in block) return `### ${inline(block.subheading)}`;
  if ('text' in block) return inline(block.text);
  // Two spaces at its end break a line.
  if ('lines' in block) return block.lines.map(escaped).join('  \n');
  if ('list' in block) return block.list.map((entry) => `- ${inline(entry)}`).join('\n');
  // Another mark than that of a list, so that a list after it stays separate.
  if ('todo' in block) return block.todo.map((entry) => `* [ ] ${inline(entry)}`).join('\n');
  if ('steps' in block) return block.steps.map((step, index) => `${index + 1}. ${inline(step)}`).join('\n');
  if ('code' in block) return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
  if ('figures' in block)
    return block.figures
      .map(
        ({ label, value, strong }) =>
          `- ${escaped(label)}: ${strong ? `**${escaped(value)}**` : escaped(value)}`,
      )
      .join('\n');
  if ('quotation' in block)
    return `> ${escaped(block.quotation.replaceAll('\n', ' '))}\n>\n> ${inline(block.source)}`;
  if ('letter' in block) return fenced(block.letter);
  if ('note' in block) return inline(block.note);
  const row = (cells: readonly Text[]) =>
    `| ${cells.map((cell) => inline(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  const { head, rows } = block.table;
  return [row(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(row)].join('\n');
}

function spanMarkdown(span: Span, baseUrl: string): string {
  if (typeof span === 'string') return escaped(span);
  if ('code' in span) return `\`${span.code}\``;
  return `[${escaped(span.link)}](${span.href.startsWith('/') ? `${baseUrl}${span.href}` : span.href})`;
}

/** A text unchanged, in a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Escapes the characters that have a meaning in Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>]/g, '\\$&');
