import type { Fault } from '../../../domain/result.ts';
import { feeSheet } from '../documents/late-fee.ts';
import type { Letterhead } from '../documents/letterhead.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import type { FormModel } from '../form-fields.ts';
import { SENT } from '../form-texts.ts';
import type { FormValues } from '../form-values.ts';
import { type Undoing, UndoNote } from '../live-fields.tsx';
import { BoughtPlace, type PlaceProps } from '../pay/bought.tsx';
import { type FormProps, LateForm, type LetterStepProps } from './late-form.tsx';
import { type Body, letterheadOf } from './late-state.ts';

export type AppProps = FormProps & {
  /** The letters on this device: the one that is shown in place of the statement, and the others. */
  readonly bought: PlaceProps;
  /** The last action, if it can be undone. */
  readonly undoing: Undoing | null;
  /** Announced to screen readers. */
  readonly status: string;
};

/** All parts of the page that change while the user types, on the server and in the browser. */
export function LateApp(props: AppProps) {
  const { undoing, status, worked, written, bought } = props;
  return (
    <>
      <p id="status" class="hidden" role="status">
        {status}
      </p>
      <UndoNote undoing={undoing} />
      <div class="late-desk" id={SENT}>
        <LateForm {...props} />
        <section class="late-paper" id="result" aria-label="Document">
          <StatementActs {...props} />
          <BoughtPlace {...bought} first={bought.first ?? <Statement worked={worked} written={written} />} />
        </section>
      </div>
    </>
  );
}

/** What the owner can do with the statement. While a letter is shown, it has its own buttons. */
function StatementActs({ acts, worked: { body }, written: { fields }, bought, copied, isSharing }: AppProps) {
  if (acts === null || (body === null && !fields.amount && !fields.due_date)) return null;
  const button = (says: string, act: () => void, isReady = true) => (
    <button type="button" class="quiet" disabled={!isReady} onClick={act}>
      {says}
    </button>
  );
  const link = isSharing ? 'Share' : 'Copy link';
  return (
    <p class="buttons late-acts toolbar">
      {bought.first ? null : (
        <>
          {button(copied === 'text' ? 'Copied' : 'Copy as text', acts.copyText, body !== null)}
          {button('Print', acts.print, body !== null)}
          {button(copied === 'link' ? 'Copied' : link, acts.copyLink, body !== null)}
        </>
      )}
      {button('New', acts.beginAnew)}
    </p>
  );
}

/** The free statement of what is owed. */
const Statement = ({ worked, written }: Pick<AppProps, 'worked' | 'written'>) =>
  worked.body === null ? (
    <p class="paper-empty">The statement of what is owed appears here.</p>
  ) : (
    <SheetView sheet={feeSheet(worked.body, letterheadOf(written))} />
  );

/** The data of a form sent without JavaScript: its values, letterhead, faults and result. */
export type Sent = {
  readonly values: FormValues;
  readonly letterhead: Letterhead;
  readonly faults: readonly Fault[];
  readonly body: Body | null;
};

/** The initial data for the script of the page. */
export type LateData = {
  readonly form: FormModel;
  /** The fields that the free fee is calculated from. */
  readonly feeFields: readonly string[];
  /** The letter for sale; null if the service sells none. */
  readonly letter:
    | (Pick<LetterStepProps, 'price' | 'usd' | 'network' | 'isPlayMoney'> & {
        readonly method: string;
        readonly route: string;
      })
    | null;
  readonly action: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sent: Sent;
};

export const NO_LETTERS: PlaceProps = { first: null, earlier: [], isDeleted: false };

/** The page as the server renders it. */
export function sentProps({ form, letter, action, attributes, sent }: LateData): AppProps {
  const { values, letterhead, faults, body } = sent;
  return {
    form,
    action,
    attributes,
    written: { fields: values.fields, letterhead },
    worked: { body, faults, numbers: new Map() },
    shown: faults,
    isSummed: true,
    currency: values.fields.currency || body?.currency || 'USD',
    acts: null,
    copied: null,
    isSharing: false,
    letter: letter && { ...letter, acts: null, isCopied: false, isRemembering: true, isForeign: false },
    bought: NO_LETTERS,
    undoing: null,
    status: '',
  };
}
