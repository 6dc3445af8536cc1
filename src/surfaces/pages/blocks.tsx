import type { AriaRole } from 'preact';
import { type Block, type Span, spans, type TableOfRows, type Text } from './content.ts';

/** The parts of a page as HTML. */
export const Blocks = ({ blocks }: { blocks: readonly Block[] }) => (
  <>
    {blocks.map((block) => (
      <BlockView block={block} />
    ))}
  </>
);

function BlockView({ block }: { block: Block }) {
  if ('heading' in block) return <h2 id={block.id}>{inline(block.heading)}</h2>;
  if ('subheading' in block) return <h3 id={block.id}>{inline(block.subheading)}</h3>;
  if ('text' in block) return <p>{inline(block.text)}</p>;
  if ('lines' in block) return <p class="lines">{block.lines.map((line) => [line, <br />])}</p>;
  if ('list' in block) return <ul>{items(block.list)}</ul>;
  if ('todo' in block) return <ul>{items(block.todo)}</ul>;
  if ('steps' in block) return <ol>{items(block.steps)}</ol>;
  if ('code' in block)
    return (
      <pre {...scrolled('Code')}>
        <code>{block.code}</code>
      </pre>
    );
  if ('figures' in block) return <Figures figures={block.figures} />;
  if ('quotation' in block)
    return (
      <figure class="quotation">
        <blockquote lang={block.language}>{block.quotation}</blockquote>
        <figcaption>{inline(block.source)}</figcaption>
      </figure>
    );
  if ('letter' in block)
    return (
      <section class="letter" aria-label={block.label}>
        <pre class="text">{block.letter}</pre>
      </section>
    );
  if ('note' in block) return <p class="note">{inline(block.note)}</p>;
  return <Table {...block.table} />;
}

const items = (entries: readonly Text[]) => entries.map((entry) => <li>{inline(entry)}</li>);

/**
 * Focusable, because the keyboard must be able to scroll it sideways. A group, because each landmark would need a
 * separate name.
 */
const scrolled = (label: string) => ({ tabindex: 0, role: 'group' as const, 'aria-label': label });

function Figures({ figures }: Extract<Block, { figures: unknown }>) {
  return (
    <dl class="figures">
      {figures.map(({ label, value, strong }) => (
        <div class={strong ? 'strong' : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Repeats the role, because some browsers drop table semantics when CSS lays a table out as blocks on a phone. */
export const roleOf = (role: AriaRole): { readonly role?: AriaRole } => ({ role });
const noRole: typeof roleOf = () => ({});

function Table({ head, rows, isLastLong = false, isCompared = false }: TableOfRows) {
  const isHeaded = head.some((cell) => cell !== '');
  const label = isHeaded ? head.join(', ') : 'Facts';
  const told = isLastLong || isCompared ? roleOf : noRole;
  return (
    <div
      class={`table${isLastLong ? ' last-long' : ''}${isCompared ? ' compared' : ''}`}
      {...scrolled(label)}
    >
      <table {...told('table')} aria-label={label}>
        {isHeaded ? (
          <thead {...told('rowgroup')}>
            <tr {...told('row')}>
              {head.map((cell) => (
                <th scope="col" {...told('columnheader')}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody {...told('rowgroup')}>
          {rows.map((row) => (
            <tr {...told('row')}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th scope="row" {...told('rowheader')}>
                    {inline(cell)}
                  </th>
                ) : (
                  <td
                    {...told('cell')}
                    class={isFigure(cell) ? 'n' : undefined}
                    data-of={isCompared ? head[column] : undefined}
                  >
                    {isCompared && cell !== '' ? <span>{inline(cell)}</span> : inline(cell)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "£1,260.63", "12%", "-5 EUR": figures that are aligned in their column. */
const isFigure = (cell: Text): boolean =>
  typeof cell === 'string' && /^[-−]?\p{Sc}?[\d.,]+\p{Sc}?%?(?: [A-Z]{3})?$/u.test(cell);

export const inline = (text: Text) => spans(text).map(spanView);

function spanView(span: Span) {
  if (typeof span === 'string') return span;
  if ('code' in span) return <code>{span.code}</code>;
  // Links to other sites are not endorsements.
  const rel = /^https?:\/\//i.test(span.href) ? 'noopener nofollow' : undefined;
  return (
    <a href={span.href} rel={rel}>
      {span.link}
    </a>
  );
}
