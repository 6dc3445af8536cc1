import { Blocks, inline, roleOf } from '../blocks.tsx';
import type { Child } from '../markup.ts';
import { paymentWords } from './payment-link.ts';
import type { Cell, Sheet, SheetOption, SheetPart, SheetStep, SheetTable } from './sheet.ts';

/** The completed steps of a document, such as "1.0,1.1", and what happens when the owner checks one off. */
type Ticks = { readonly done: string; readonly onDone: (done: string) => void };

/** A document as HTML that looks like paper. */
export function SheetView({ sheet, ticks }: { sheet: Sheet; ticks?: Ticks }) {
  const { kind, title, business, contact, client, facts, parts, names = [], logo, accent = '' } = sheet;
  return (
    <article class={`sheet ${kind} ${accent}`.trim()} aria-label={title ?? 'Letter'}>
      <div class="head">
        <div class="from">
          {logo === undefined ? null : <img class="logo" src={logo} alt="" />}
          {business === '' && contact.length === 0 ? (
            kind === 'report' ? null : (
              <p class="todo">Your business</p>
            )
          ) : (
            <>
              <p class="business">
                <bdi>{business}</bdi>
              </p>
              <Lines lines={contact} />
            </>
          )}
        </div>
        <div class="what">
          {title === null ? null : <p class="title">{title}</p>}
          <dl>{facts.map(({ label, value }) => pair(label, <bdi>{value}</bdi>))}</dl>
        </div>
      </div>
      {kind === 'report' ? null : (
        <div class="to">
          {client.length === 0 ? (
            <p class="todo">Your client</p>
          ) : (
            <>
              {kind === 'letter' ? null : <p class="small">For</p>}
              <Lines lines={client} />
            </>
          )}
        </div>
      )}
      {parts.map((part) => (
        <Part part={part} names={names} ticks={ticks} />
      ))}
    </article>
  );
}

/* User text is inside <bdi>: a Hebrew or Arabic name keeps its own direction, and the text around it does not move. */

const sentence = (text: string, names: readonly string[]) => (
  <bdi>{isolatedIn(text, names).map((part, index) => (index % 2 === 1 ? <bdi>{part}</bdi> : part))}</bdi>
);

const pair = (name: string, value: Child) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Lines = ({ lines, names = [] }: { lines: readonly string[]; names?: readonly string[] }) =>
  lines.length === 0 ? null : (
    <p class="lines">
      {lines.map((line, index) => (
        <>
          {index === 0 ? null : <br />}
          {sentence(line, names)}
        </>
      ))}
    </p>
  );

function Part({
  part,
  names,
  ticks,
}: {
  part: SheetPart;
  names: readonly string[];
  ticks: Ticks | undefined;
}) {
  if ('heading' in part) return <h3>{part.heading}</h3>;
  if ('subject' in part) return <p class="subject">{sentence(part.subject, names)}</p>;
  if ('lines' in part) return <Lines lines={part.lines} names={names} />;
  if ('list' in part) return <List entries={part.list} names={names} />;
  if ('figures' in part)
    return (
      <dl class="sums">
        {part.figures.map(({ label, value, strong = false }) => (
          <div class={strong ? 'main' : undefined}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    );
  if ('table' in part) return <Lined table={part.table} />;
  if ('highlights' in part)
    return (
      <dl class="highlights">
        {part.highlights.map(({ label, value, note }) => (
          <div>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {note === '' ? null : <dd class="small">{note}</dd>}
          </div>
        ))}
      </dl>
    );
  if ('steps' in part) return <Steps steps={part.steps} ticks={ticks} />;
  if ('options' in part) return <Options options={part.options} />;
  if ('terms' in part)
    return <dl class="terms">{part.terms.map(({ title, text }) => pair(title, sentence(text, names)))}</dl>;
  if ('choices' in part)
    return (
      <ul class="choices">
        {part.choices.map(([label, total]) => (
          <li>
            <bdi>{label}</bdi>, {total}
          </li>
        ))}
      </ul>
    );
  if ('payment' in part)
    return (
      <p class="payment">
        <bdi>{paymentWords(part.payment)}</bdi> <strong>{part.payment.host}</strong>:<br />
        <a href={part.payment.address} target="_blank" rel="noopener noreferrer nofollow">
          {part.payment.address}
        </a>
      </p>
    );
  if ('signature' in part)
    return (
      <div class="signature">
        {part.signature.map((label) => (
          <p>{label}</p>
        ))}
      </div>
    );
  return <Blocks blocks={part.blocks} />;
}

const List = ({ entries, names = [] }: { entries: readonly string[]; names?: readonly string[] }) => (
  <ul>
    {entries.map((entry) => (
      <li>{sentence(entry, names)}</li>
    ))}
  </ul>
);

/**
 * Numbered steps. The owner can check off their lines on the screen, or on paper with a pen. On the screen, every note
 * except the first is collapsed.
 */
const Steps = ({ steps, ticks }: { steps: readonly SheetStep[]; ticks: Ticks | undefined }) => (
  <ol class="plan-steps">
    {steps.map(({ number, title, about, address, why, todo, notes, quotation }) => (
      <li value={number}>
        {title === '' ? null : (
          <h3>
            {inline([title])}{' '}
            <span class="small">
              {about} · {address}
            </span>
          </h3>
        )}
        <div>
          {why === '' ? null : <p>{why}</p>}
          <ul class="todo-list">
            {todo.map((text, line) => (
              <li>
                <Tick id={`${number}.${line}`} ticks={ticks}>
                  {text}
                </Tick>
              </li>
            ))}
          </ul>
          <StepNotes notes={notes.slice(0, 1)} />
        </div>
        {notes.length < 2 && quotation === undefined ? null : (
          <details class="step-more">
            <summary>Later costs, limits and other tools</summary>
            <StepNotes notes={notes.slice(1)} />
            {quotation === undefined ? null : <Blocks blocks={[quotation]} />}
          </details>
        )}
      </li>
    ))}
  </ol>
);

const StepNotes = ({ notes }: Pick<SheetStep, 'notes'>) =>
  notes.length === 0 ? null : (
    <dl class="step-notes">{notes.map(({ label, text }) => pair(label, inline(text)))}</dl>
  );

function Tick({ id, ticks, children }: { id: string; ticks: Ticks | undefined; children: Child }) {
  if (ticks === undefined) return <span class="tick">{children}</span>;
  const done = ticks.done.split(',').filter((other) => other !== '' && other !== id);
  const isDone = ticks.done.split(',').includes(id);
  return (
    <label>
      <input
        type="checkbox"
        checked={isDone}
        onChange={() => ticks.onDone((isDone ? done : [...done, id]).join())}
      />
      <span>{children}</span>
    </label>
  );
}

const Options = ({ options }: { options: readonly SheetOption[] }) => (
  <div class="options">
    {options.map(({ label, total, isRecommended, lead, holds }) => (
      <section class={isRecommended ? 'option recommended' : 'option'} aria-label={label}>
        <h3>
          <bdi>{label}</bdi>
        </h3>
        <p class="total">{total}</p>
        {isRecommended ? <p class="small">Recommended</p> : null}
        {lead === '' ? null : <p>{sentence(lead, [])}</p>}
        {holds.length === 0 ? null : <List entries={holds} />}
      </section>
    ))}
  </div>
);

function Lined({ table: { head, rows, totals } }: { table: SheetTable }) {
  const values = totals[0]?.values.length ?? 1;
  return (
    // Focusable, because it may scroll sideways on a phone and a keyboard must reach it.
    <section class={values === 1 ? 'lined' : 'lined by-option'} aria-label="Lines and totals" tabindex={0}>
      <table {...roleOf('table')}>
        <thead {...roleOf('rowgroup')}>
          <tr {...roleOf('row')}>
            {head.map((label, column) => (
              <th scope="col" {...roleOf('columnheader')} class={column === 0 ? undefined : 'figure'}>
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roleOf('rowgroup')}>
          {rows.map((cells) => (
            <tr {...roleOf('row')}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th scope="row" {...roleOf('rowheader')}>
                    <bdi>
                      <CellView cell={cell} />
                    </bdi>
                  </th>
                ) : (
                  <td {...roleOf('cell')} class="figure">
                    <CellView cell={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        <tbody {...roleOf('rowgroup')} class="totals">
          {totals.map(({ label, values: sums, isMain }) => (
            <tr {...roleOf('row')} class={isMain ? 'main' : undefined}>
              <th scope="row" {...roleOf('rowheader')} colspan={head.length - values} class="figure">
                <bdi>{label}</bdi>
              </th>
              {sums.map((sum) => (
                <td {...roleOf('cell')} class="figure">
                  <CellView cell={sum} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const CellView = ({ cell }: { cell: Cell }) =>
  typeof cell === 'string' ? (
    cell
  ) : (
    <>
      {cell.value}
      <br />
      <span class="small">{cell.below}</span>
    </>
  );

/*
 * Isolates right-to-left names inside left-to-right sentences. The punctuation and numbers of a name then stay with it,
 * and the punctuation and numbers of the sentence keep their place. The text itself does not change.
 */

const FROM_RIGHT = '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC';
const BEGINS_FROM_LEFT = /^[^\p{L}]*\p{Script=Latin}/u;
const RUNS_FROM_RIGHT = new RegExp(`[${FROM_RIGHT}]`, 'u');
/**
 * Words with a right-to-left letter, without the punctuation of the sentence around them. Each word is scanned once.
 */
const WORD = `(?<![^\\s.,;:!?()])[^\\s.,;:!?()]*[${FROM_RIGHT}](?:\\S*[^\\s.,;:!?()])?`;
const IN_A_WORD = '[\\p{L}\\p{M}]';

/**
 * The parts of a text. Every second part is a name to isolate. Known names are matched as written, other names by their
 * letters. A text that starts right-to-left, or has no right-to-left letters, is one part.
 */
export function isolatedIn(text: string, names: readonly string[]): readonly string[] {
  if (!BEGINS_FROM_LEFT.test(text) || !RUNS_FROM_RIGHT.test(text)) return [text];
  const known = names
    .filter((name) => RUNS_FROM_RIGHT.test(name))
    .sort((one, other) => other.length - one.length)
    .map((name) => `(?<!${IN_A_WORD})${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!${IN_A_WORD})`);
  return text.split(new RegExp(`(${[...known, `${WORD}(?:\\s+${WORD})*`].join('|')})`, 'u'));
}
