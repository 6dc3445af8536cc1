import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { Blocks } from '../blocks.tsx';
import { letterNotes, letterSheet, letterText } from '../documents/letter.ts';
import { type Letterhead, mailAddress } from '../documents/letterhead.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { PaidLine } from '../pay/paying-line.tsx';
import { spokenTime } from '../views/format.ts';

export type Letter = AnswerOf<'late_fee_notice'>;
export type Tone = Letter['reminder']['tone'];

/** A purchased letter as the page shows it. */
export type BoughtLetter = {
  readonly name: string;
  readonly body: Letter;
  readonly letterhead: Letterhead;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly transaction: string | null;
  /** Whether the letter is lost when the page is closed. */
  readonly isPassing: boolean;
};

export type BoughtProps = {
  /** The letter on the screen; null while the statement of the fee is shown. */
  readonly letter: BoughtLetter | null;
  readonly others: readonly { readonly name: string; readonly about: string; readonly boughtMs: number }[];
  /** "$0.01 in USDC on Base" */
  readonly paid: string;
  /** A block explorer for the network; null if there is none. */
  readonly explorer: string | null;
  /** "1¢" */
  readonly price: string;
  readonly copied: string | null;
  readonly isSharing: boolean;
  readonly acts: {
    readonly copy: (what: 'letter' | 'subject') => void;
    readonly print: () => void;
    readonly next: (tone: Tone) => void;
    readonly open: (name: string) => void;
    readonly close: () => void;
    readonly remove: (name: string) => void;
  };
};

/** The purchased letter as a document to send, with its actions. */
export function Bought({ letter, paid, explorer, price, copied, isSharing, acts }: BoughtProps) {
  if (letter === null) return null;
  const { body, letterhead, day, transaction, isPassing, name } = letter;
  const next = NEXT[body.reminder.tone];
  return (
    <>
      <div class="toolbar">
        <h2 tabindex={-1}>Your reminder</h2>
        {isPassing ? <p class="note warning">{PASSING}</p> : null}
        <p class="buttons">
          <button type="button" onClick={() => acts.copy('letter')}>
            {copied === 'letter' ? 'Copied' : isSharing ? 'Send the letter' : 'Copy the letter'}
          </button>
          <button type="button" class="quiet" onClick={() => acts.copy('subject')}>
            {copied === 'subject' ? 'Copied' : 'Copy the subject'}
          </button>
          <a
            class="button quiet"
            href={mailAddress({ subject: body.reminder.subject, body: letterText(body, letterhead) })}
          >
            Open in email
          </a>
          <button type="button" class="quiet" onClick={acts.print}>
            Print
          </button>
          {next === undefined ? null : (
            <button type="button" class="quiet" onClick={() => acts.next(next.tone)}>
              {next.says} <small>{price}</small>
            </button>
          )}
        </p>
      </div>
      <SheetView sheet={letterSheet(body, letterhead, day)} />
      <details class="figure-steps toolbar">
        <summary>For you only: the figures and notes</summary>
        <Blocks blocks={letterNotes(body)} />
        <p>
          <PaidLine paid={paid} transaction={transaction} explorer={explorer} />
        </p>
        <p class="buttons">
          <button type="button" class="quiet" onClick={acts.close}>
            Close the letter
          </button>
          <button type="button" class="quiet" onClick={() => acts.remove(name)}>
            Delete the letter
          </button>
        </p>
      </details>
    </>
  );
}

const PASSING = 'Copy or print it now. Your browser forgets this letter when you close or reload the page.';

const NEXT: Readonly<Partial<Record<Tone, { readonly tone: Tone; readonly says: string }>>> = {
  polite: { tone: 'firm', says: 'Make the firm one' },
  firm: { tone: 'final', says: 'Make the final one' },
};

/** The other letters on this device. */
export function OtherLetters({ others, letter, acts }: BoughtProps) {
  if (others.length === 0) return null;
  return (
    <section class="letters toolbar" aria-label="Letters on this device">
      <h2>{letter === null ? 'Your letters' : 'Bought before'}</h2>
      <ul>
        {others.map(({ name, about, boughtMs }) => (
          <li key={name}>
            <button type="button" class="quiet" onClick={() => acts.open(name)}>
              {cleanLine(about) || 'A letter'}
            </button>{' '}
            <span class="hint">{spokenTime(boughtMs)}</span>
          </li>
        ))}
      </ul>
      <p class="hint">
        Stored on this device for 30 days, and nowhere else.{' '}
        <a href="/on-this-device">Everything on this device</a>
      </p>
    </section>
  );
}
