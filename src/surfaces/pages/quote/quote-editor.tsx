import type { Fault } from '../../../domain/result.ts';
import { brandOf } from '../documents/brand.ts';
import { onPaper } from '../documents/sheet.ts';
import { FaultSummary, faultTarget } from '../form-faults.tsx';
import type { FormField, FormModel } from '../form-fields.ts';
import { Chip, type DocumentForm, hasFault, LiveFields, RememberBox, textIn } from '../live-fields.tsx';
import { type Choice, NONE } from '../pasted-columns.ts';
import { amountText, longDay } from '../views/format.ts';
import { QuoteLines } from './quote-lines.tsx';
import {
  type Acts,
  type Body,
  type FieldsOf,
  LIST,
  PAPER_FIELDS,
  type Worked,
  type Written,
  withPaper,
} from './quote-state.ts';
import { chipProps, PLACED, placedIn, QuoteSums } from './quote-sums.tsx';

/** The step after a quote: its paid options. */
export type NextStep = {
  readonly path: string;
  readonly says: string;
  readonly price: string;
  /** Opens the step in the page; omitted until the script runs. */
  readonly offer?: () => void;
};

export type EditorProps = DocumentForm<Written, Worked, Acts> & {
  readonly next: NextStep | null;
  /** What the page says about pasted rows; null if there are none. */
  readonly pasted: PastedProps | null;
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
        {pasted === null ? null : <PastedNote {...pasted} choose={acts?.chooseColumn} />}
        <QuoteSums form={form} of={of} letterhead={written.letterhead} acts={acts} />
        <div class="quote-note">{paper('note')}</div>
        <div class="quote-chips">
          <Chip {...chipProps(form, of, 'validity')} says={`Valid ${written.fields.valid_days || '30'} days`}>
            {inputs(placedIn(form, 'validity'))}
          </Chip>
          <Chip {...chipProps(form, of, 'currency')} says={`In ${currency}`}>
            {inputs(placedIn(form, 'currency'))}
          </Chip>
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

type PastedProps = {
  /** A report on the rows. */
  readonly says: string;
  /** The columns to choose from; null if there is no doubt about their meaning. */
  readonly asks: {
    readonly columns: readonly { readonly index: number; readonly label: string }[];
    readonly choice: Choice;
  } | null;
};

const MEANINGS: readonly (readonly [keyof Choice, string])[] = [
  ['unit_price', 'Which column is the price?'],
  ['quantity', 'The quantity?'],
  ['tax_percent', 'The tax in percent?'],
];

/** A report on pasted rows, with a question if the meaning of their columns is a guess. */
const PastedNote = ({ says, asks, choose }: PastedProps & { choose: Acts['chooseColumn'] | undefined }) => (
  <div class="pasted">
    <p>{says}</p>
    {asks === null ? null : (
      <p class="pasted-columns">
        {MEANINGS.map(([part, question]) => (
          <label key={part}>
            {question}{' '}
            <select
              value={String(asks.choice[part])}
              onChange={(event) => choose?.(part, Number(textIn(event)))}
            >
              <option value={String(NONE)}>None</option>
              {asks.columns.map(({ index, label }) => (
                <option key={index} value={String(index)}>
                  {label}
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

/** Every value outside the lines, by the name of its input. */
function valuesOnPaper({ fields, letterhead }: Written): Readonly<Record<string, string>> {
  const onPaperOnly = Object.entries(letterhead).map(([name, text]) => [`paper.${name}`, text]);
  return { ...fields, ...Object.fromEntries(onPaperOnly) };
}

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
  if (acts === null)
    return (
      <div class="dock">
        <strong id="total">{body === null ? '' : onPaper(body.formatted.total)}</strong>
        {/* The keys keep buttons apart: a button that turned into another would move its neighbors. */}
        <button key="submit" type="submit">
          {WORK_OUT}
        </button>
      </div>
    );
  const isWhole = body !== null && faults.length === 0;
  return (
    <div class="dock">
      <strong id="total" class={isWhole || body === null ? undefined : 'unfinished'}>
        {onPaper(body === null ? amountText(0, currency) : body.formatted.total)}
      </strong>
      {next === null ? null : (
        <button key="next" type="button" class="quiet" onClick={next.offer} data-next>
          {next.says} <small>{next.price}</small>
        </button>
      )}
      <button key="send" type="button" onClick={acts.send}>
        Send
      </button>
    </div>
  );
}

/** The input that a fault links to; the first line if there is none. */
export const inputOf = (fault: Fault, form: FormModel): string | null =>
  faultTarget(fault.pointer === `/${LIST}` ? { ...fault, pointer: `/${LIST}/0` } : fault, withPaper(form));
