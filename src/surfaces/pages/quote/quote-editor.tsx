import { brandOf } from '../documents/brand.ts';
import { taxNameOf } from '../documents/quote.ts';
import { onPaper } from '../documents/sheet.ts';
import { FaultSummary, faultsAt, fieldId } from '../form-faults.tsx';
import { Field } from '../form-field.tsx';
import type { FormField, FormList } from '../form-fields.ts';
import {
  Chip,
  type DocumentForm,
  hasFault,
  LiveFields,
  liveOf,
  RememberBox,
  textIn,
} from '../live-fields.tsx';
import type { Child } from '../markup.ts';
import { type Choice, columnLabel, NONE } from '../pasted-rows.ts';
import { amountText, longDay, plain } from '../views/format.ts';
import {
  type Acts,
  type Body,
  type FieldsOf,
  LIST,
  type Line,
  PAPER_FIELDS,
  type PastedLines,
  valuesOnPaper,
  type Worked,
  type Written,
  withPaper,
} from './quote-state.ts';

export type EditorProps = DocumentForm<Written, Worked, Acts> & {
  /** The step of paid options. `offer` opens it; omitted until the script runs. */
  readonly next: { readonly price: string; readonly offer?: () => void } | null;
  /** What the page says about pasted rows; null if there are none. */
  readonly pasted: PastedLines | null;
  readonly isRemembering: boolean;
  /** Whether the chosen logo file cannot be used as a picture. */
  readonly isLogoUnread: boolean;
};

/** The form of a quote, laid out as the document. Without scripts, it is sent to its own page. */
export function QuoteEditor(props: EditorProps) {
  const { form, written, worked, shown, isSummed, currency, acts, attributes, action, pasted } = props;
  const of: FieldsOf = { values: { ...valuesOnPaper(written), currency }, shown, worked, currency };
  const inputs = (fields: readonly FormField[]) => (
    <LiveFields fields={fields} of={of} write={acts?.write ?? null} />
  );
  const paper = (...names: (keyof typeof PAPER_FIELDS)[]) => inputs(names.map((name) => PAPER_FIELDS[name]));
  const chip: PlaceChip = (place, says, isQuiet = false, more = []) => {
    const fields = [...form.fields.filter(({ name }) => PLACES[place].includes(name)), ...more];
    return (
      <Chip says={says} isQuiet={isQuiet} isOpen={hasFault(fields, shown)}>
        {inputs(fields)}
      </Chip>
    );
  };
  const [list] = form.lists;
  const { pay } = written.letterhead;
  const { logo, accent = '' } = brandOf(written.letterhead);
  const rest = form.fields.filter(({ name }) => !PLACED.has(name));
  return (
    <form
      id="form"
      class="quote-form"
      method="post"
      action={action}
      novalidate={acts !== null}
      {...attributes}
    >
      {/* Enter presses the first button, which would otherwise be the button that adds lines. */}
      <button type="submit" hidden>
        {WORK_OUT}
      </button>
      <FaultSummary faults={isSummed ? shown : []} form={withPaper(form)} />
      <div class={`quote-paper ${accent}`.trim()}>
        <div class="quote-head">
          <div>
            {logo === undefined ? null : <img class="logo" src={logo} alt="" />}
            {paper('business')}
          </div>
          <div class="quote-what">
            <p class="quote-title">Quote</p>
            {paper('number')}
            {worked.body === null ? null : <p class="quote-day">{longDay(worked.body.issued_on)}</p>}
          </div>
          <div class="quote-contact">{paper('contact')}</div>
        </div>
        <div class="quote-to">
          <span aria-hidden="true">For</span>
          {paper('client')}
        </div>
        {list === undefined ? null : (
          <QuoteLines list={list} lines={written.lines} of={of} action={action} acts={acts} />
        )}
        {pasted === null || acts === null ? null : <PastedNote {...pasted} acts={acts} />}
        <QuoteSums of={of} chip={chip} />
        <div class="quote-note">{paper('note')}</div>
        <div class="quote-chips">
          {chip('validity', `Valid ${written.fields.valid_days || '30'} days`)}
          {chip('currency', `In ${currency}`)}
          {/* A payment page that came with a link is not hidden. */}
          <Chip
            isOpen={hasFault([PAPER_FIELDS.pay, ...rest], shown) || (pay !== '' && !props.isRemembering)}
            says="More"
          >
            {inputs([PAPER_FIELDS.about, PAPER_FIELDS.pay, PAPER_FIELDS.accent, ...rest])}
            {acts === null || !props.isRemembering ? null : (
              <LogoField acts={acts} hasLogo={logo !== undefined} isUnread={props.isLogoUnread} />
            )}
            {acts === null ? null : <Remembering acts={acts} isRemembering={props.isRemembering} />}
          </Chip>
        </div>
      </div>
      <Notes body={worked.body} />
      <Dock {...props} />
      <p class="where hint" data-other={acts === null ? HERE : SENT_TO_US}>
        <span>{acts === null ? SENT_TO_US : HERE}</span>
      </p>
    </form>
  );
}

const MEANINGS: readonly (readonly [keyof Choice, string])[] = [
  ['unit_price', 'Which column is the price?'],
  ['quantity', 'The quantity?'],
  ['tax_percent', 'The tax in percent?'],
];

/** A report on pasted rows, with a question if the meaning of their columns is a guess. */
const PastedNote = ({ table, choice, says, acts }: PastedLines & { acts: Acts }) => (
  <div class="pasted">
    <p>{says}</p>
    {table.leftOut.length === 0 ? null : (
      <button type="button" class="quiet" onClick={acts.addLeftOut}>
        {table.leftOut.length === 1 ? 'Add that row' : 'Add those rows'}
      </button>
    )}
    {table.isSure ? null : (
      <p class="pasted-columns">
        {MEANINGS.map(([part, question]) => (
          <label key={part}>
            {question}{' '}
            <select
              value={String(choice[part])}
              onChange={(event) => acts.chooseColumn(part, Number(textIn(event)))}
            >
              <option value={String(NONE)}>None</option>
              {table.figures.map((index) => (
                <option key={index} value={String(index)}>
                  {columnLabel(table, index)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </p>
    )}
  </div>
);

const WORK_OUT = 'Work it out';
export const SENT_TO_US = 'What you write is sent to us for the calculation, and then forgotten.';
export const HERE = 'Stays on this device. Nothing is sent to us.';

type LogoProps = { readonly acts: Acts; readonly hasLogo: boolean; readonly isUnread: boolean };

const LogoField = ({ acts, hasLogo, isUnread }: LogoProps) => (
  <div class="field logo-field">
    <label for="f-logo">Your logo</label>
    <input
      id="f-logo"
      type="file"
      accept="image/*"
      aria-describedby="f-logo-hint f-logo-fault"
      aria-invalid={isUnread ? 'true' : undefined}
      onChange={({ currentTarget }) => {
        const [file] = (currentTarget as unknown as { files: readonly File[] | null }).files ?? [];
        if (file !== undefined) acts.chooseLogo(file);
      }}
    />
    {hasLogo ? (
      <button type="button" class="quiet" onClick={() => acts.chooseLogo(null)}>
        Remove the logo
      </button>
    ) : null}
    <p id="f-logo-hint" class="hint">
      Stored on this device. It appears on your document and in print. The link for your client contains it
      only if you choose that.
    </p>
    <p id="f-logo-fault" class="fault">
      {isUnread ? 'is not a picture that we can read: choose a PNG, JPEG, WebP or SVG file' : ''}
    </p>
  </div>
);

const Remembering = ({ acts, isRemembering }: { acts: Acts; isRemembering: boolean }) => (
  <p class="remembering">
    <RememberBox isRemembering={isRemembering} remember={acts.remember} />
    <button type="button" class="quiet" onClick={acts.beginAnew}>
      Start a new quote
    </button>
    <span class="hint">This device keeps the quote until you start a new one.</span>
  </p>
);

const Notes = ({ body }: { body: Body | null }) =>
  body === null || body.warnings.length === 0 ? null : (
    <div class="note warning">
      {body.warnings.map((warning) => (
        <p>{warning}</p>
      ))}
    </div>
  );

/** The part that stays in view: the total and its actions. */
function Dock({ worked: { body, faults }, currency, next, acts }: EditorProps) {
  const none = acts === null ? '' : amountText(0, currency);
  return (
    <div class="dock">
      <strong
        id="total"
        class={acts === null || body === null || faults.length === 0 ? undefined : 'unfinished'}
      >
        {onPaper(body === null ? none : body.formatted.total)}
      </strong>
      {next === null || acts === null ? null : (
        <button key="next" type="button" class="quiet" onClick={next.offer}>
          Offer 3 options <small>{next.price}</small>
        </button>
      )}
      {/* The keys keep buttons apart: a button that turned into another would move its neighbors. */}
      {acts === null ? (
        <button key="submit" type="submit">
          {WORK_OUT}
        </button>
      ) : (
        <button key="send" type="button" onClick={acts.send}>
          Send
        </button>
      )}
    </div>
  );
}

// Without scripts, a form adds several lines at once.
const MORE_LINES = 3;

/** The fields in the columns of the document. Other fields of a line are in its menu. */
const COLUMNS: Readonly<Record<string, { readonly head: string; readonly example?: string }>> = {
  description: { head: 'Item', example: 'Item' },
  quantity: { head: 'Qty' },
  unit_price: { head: 'Price', example: 'Price' },
};

/** Fields that a program's link may give for a line instead of a price. */
const COSTS: Readonly<Record<string, string>> = {
  unit_cost: 'Cost',
  margin_percent: 'Margin in percent',
  markup_percent: 'Markup in percent',
};

type LinesProps = {
  readonly list: FormList;
  readonly lines: readonly Line[];
  readonly of: FieldsOf;
  readonly action: string;
  readonly acts: Acts | null;
};

/** The lines of a quote, edited in place. */
function QuoteLines({ list, lines, of, action, acts }: LinesProps) {
  const fields = list.fields.map((field) => ({ field, part: field.name.slice(list.name.length + 1) }));
  const inColumns = fields.filter(({ part }) => part in COLUMNS);
  const isFull = lines.length >= list.maxRows;
  const path = action.split('#')[0];
  return (
    <fieldset class="quote-lines">
      <legend class="hidden">{list.label}</legend>
      <div class="line-head" aria-hidden="true">
        {inColumns.map(({ part }) => (
          <span>{COLUMNS[part]?.head} </span>
        ))}
        <span>Amount</span>
      </div>
      {lines.map((line, place) => (
        <QuoteLine
          key={line.key}
          {...{ line, place, fields, of, acts }}
          isLast={place === lines.length - 1}
        />
      ))}
      {isFull ? null : (
        <button
          type={acts === null ? 'submit' : 'button'}
          class="add-line"
          name={acts === null ? 'rows' : undefined}
          value={acts === null ? String(lines.length + MORE_LINES) : undefined}
          formaction={acts === null ? `${path}#${fieldId([LIST, lines.length, 'description'])}` : undefined}
          onClick={acts?.add}
        >
          {acts === null ? 'Add lines' : 'Add a line, or paste rows'}
        </button>
      )}
    </fieldset>
  );
}

type LineProps = Omit<LinesProps, 'list' | 'lines' | 'action'> & {
  readonly line: Line;
  readonly place: number;
  readonly isLast: boolean;
  readonly fields: readonly { readonly field: FormField; readonly part: string }[];
};

function QuoteLine({ line, place, isLast, fields, of, acts }: LineProps) {
  const { key, values } = line;
  const number = place + 1;
  const shown = ({ field, part }: LineProps['fields'][number]) => {
    const [pointer, value] = [`/${LIST}/${place}/${part}`, values[part] ?? ''];
    const { example } = COLUMNS[part] ?? {};
    return (
      <Field
        key={part}
        field={example === undefined ? field : { ...field, example }}
        id={fieldId([LIST, place, part])}
        value={value}
        faults={faultsAt(of.shown, pointer)}
        row={place}
        live={liveOf(
          of,
          { pointer, name: field.name, value },
          acts && ((text) => acts.writeLine(key, part, text)),
        )}
      />
    );
  };
  const others = fields.filter(({ part }) => !(part in COLUMNS));
  const costs = Object.entries(COSTS).filter(([part]) => (values[part] ?? '') !== '');
  return (
    <div class="quote-line" onPaste={acts === null ? undefined : (event: unknown) => acts.paste(key, event)}>
      {fields.filter(({ part }) => part in COLUMNS).map(shown)}
      <span class="amount">{amountOf(of, place)}</span>
      {costs.length === 0 ? null : (
        <p class="line-costs">
          {costs.map(([part, label]) => `${label} ${values[part]}`).join(', ')}{' '}
          {acts === null ? null : (
            <button
              type="button"
              class="link"
              onClick={() => {
                for (const [part] of costs) acts.writeLine(key, part, '');
              }}
            >
              Enter a price instead
            </button>
          )}
        </p>
      )}
      <span
        class="grip"
        aria-hidden="true"
        onPointerDown={acts === null ? undefined : (event: unknown) => acts.drag(key, event)}
      >
        ⠿
      </span>
      <details class="line-menu" name="line-menu">
        <summary aria-label={`More for line ${number}`}>⋯</summary>
        <div class="line-fields">
          {others.map(shown)}
          {acts === null ? null : (
            <p class="buttons">
              {place === 0 ? null : (
                <button type="button" class="quiet" data-act="up" onClick={() => acts.move(key, -1)}>
                  Move up
                </button>
              )}
              {isLast ? null : (
                <button type="button" class="quiet" data-act="down" onClick={() => acts.move(key, 1)}>
                  Move down
                </button>
              )}
              <button type="button" class="quiet" data-act="remove" onClick={() => acts.remove(key)}>
                Remove line {number}
              </button>
            </p>
          )}
        </div>
      </details>
    </div>
  );
}

/** The amount of a line from the answer. */
function amountOf({ worked: { body, counted } }: FieldsOf, place: number): string {
  const item = body?.items[counted.indexOf(place)];
  return item === undefined || body === null ? '' : onPaper(amountText(item.line_total, body.currency));
}

/** The fields that each part of the document shows. Every other field of the operation is under "More". */
const PLACES = {
  discount: ['discount_percent', 'discount_amount'],
  tax: ['tax_percent', 'prices_include_tax'],
  deposit: ['deposit_percent', 'deposit_amount'],
  validity: ['valid_days'],
  currency: ['currency'],
};
const PLACED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

/** A part of the document in a few words that unfold into its fields, and more of them. */
type PlaceChip = (
  place: keyof typeof PLACES,
  says: string,
  isQuiet?: boolean,
  more?: readonly FormField[],
) => Child;

/** The totals of a quote. Discount, tax and deposit are chosen in place. */
function QuoteSums({ of, chip }: { of: FieldsOf; chip: PlaceChip }) {
  const { worked, currency } = of;
  const { body } = worked;
  const money = (sum: number): string => onPaper(amountText(sum, body?.currency ?? currency));
  const isDiscounted = body !== null && body.discount_amount !== 0;
  const rates = body?.tax_breakdown.filter(({ tax_percent }) => tax_percent !== 0) ?? [];
  const isTaxed = rates.length > 0;
  const hasDeposit = body !== null && body.deposit_amount !== 0;
  const isIncluded = body?.prices_include_tax === true;
  const tax = (
    <Sum
      says={chip('tax', taxWords(of, rates), !isTaxed, [PAPER_FIELDS.tax])}
      value={body !== null && isTaxed ? money(body.tax_amount) : ''}
    />
  );
  const total = (
    <div class="sum main">
      <span>Total</span>
      <span id="quote-total">{money(body?.total ?? 0)}</span>
    </div>
  );
  const discount = isDiscounted ? `Discount${shareOf(body.discount_percent)}` : 'Add a discount';
  const deposit = hasDeposit ? `Deposit${shareOf(body.deposit_percent)}` : 'Ask for a deposit';
  return (
    <div class="quote-sums">
      {body !== null && (isDiscounted || (isTaxed && !isIncluded)) ? (
        <Sum says="Subtotal" value={money(body.subtotal)} />
      ) : null}
      <Sum
        says={chip('discount', discount, !isDiscounted)}
        value={isDiscounted ? money(-body.discount_amount) : ''}
      />
      {isIncluded ? [total, tax] : [tax, total]}
      <Sum
        says={chip('deposit', deposit, !hasDeposit)}
        value={hasDeposit ? `${money(body.deposit_amount)} now, ${money(body.balance_due)} later` : ''}
      />
    </div>
  );
}

const Sum = ({ says, value }: { says: Child; value: string }) => (
  <div class="sum">
    <span>{says}</span>
    <span>{value}</span>
  </div>
);

/** "Add VAT", "VAT 20%", "VAT" if there are several rates, "Includes VAT 20%". */
function taxWords({ values, currency, worked: { body } }: FieldsOf, rates: Body['tax_breakdown']): string {
  const own = values.tax_name || values['paper.tax'] || '';
  const name = taxNameOf({ tax: own }, body?.currency ?? currency);
  const [first] = rates;
  const inSentence = name === 'Tax' ? 'tax' : name;
  if (first === undefined) return `Add ${inSentence}`;
  const rate = rates.length === 1 ? ` ${plain(first.tax_percent)}%` : '';
  return body?.prices_include_tax ? `Includes ${inSentence}${rate}` : `${name}${rate}`;
}

const shareOf = (percent: number | null): string => (percent === null ? '' : ` ${plain(percent)}%`);
