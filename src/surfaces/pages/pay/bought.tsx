import { Blocks } from '../blocks.tsx';
import { BLANK, type Email, inNameOf, type Letterhead, mailAddress } from '../documents/letterhead.ts';
import { LogoChoice, type LogoChosen } from '../documents/logo-choice.tsx';
import { linesOf } from '../documents/sheet.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { Field } from '../form-field.tsx';
import { CLIENT_LINK, LETTERHEAD, LETTERHEAD_DONE, NAME_FIRST } from '../form-texts.ts';
import { RememberBox } from '../live-fields.tsx';
import type { Child } from '../markup.ts';
import { paperField } from '../quote/quote-state.ts';
import type { Bought, PaperField } from '../views/bought.ts';
import { spokenDay, spokenTime } from '../views/format.ts';
import { PaidLine } from './paying-line.tsx';

/** An answer as stored on this device. */
export type BoughtAnswer = {
  readonly name: string;
  readonly operation: string;
  readonly body: unknown;
  readonly transaction: string | null;
  /** The input of the purchase in one line. */
  readonly about: string;
  readonly boughtMs: number;
};

type BoughtActs = {
  readonly write: (name: keyof Letterhead, value: string) => void;
  readonly remember: (isWanted: boolean) => void;
  readonly print: () => void;
  /** `label` is the button's label. */
  readonly copy: (label: string, text: () => string) => void;
  readonly copyLink: () => void;
  /** Opens the share menu of a phone. */
  readonly share: (email: Email) => void;
  readonly askToDelete: (isAsked: boolean) => void;
  readonly remove: () => void;
};

/** What an answer offers on its own page, in addition to its document. */
export type Extras = {
  /** The answer to buy after it; null if there is none. */
  readonly next: { readonly says: string; readonly price: string; readonly act: () => void } | null;
  readonly close: () => void;
  /** The title of its printout. */
  readonly title: string;
};

export type BoughtProps = {
  readonly kind: Bought;
  readonly answer: BoughtAnswer;
  readonly letterhead: Letterhead;
  /** "$0.01 in USDC on Base" */
  readonly price: string;
  /** A block explorer for the network; null if there is none. */
  readonly explorer: string | null;
  /** Whether the answer outlives the page, and whether the text added to its document does. */
  readonly isKept: boolean;
  readonly isNoted: boolean;
  readonly keptDays: number;
  readonly isRemembering: boolean;
  /** Whether the device shares letters instead of copying them. */
  readonly isSharing: boolean;
  /** The label of the button that has just copied something. */
  readonly copied: string | null;
  /** Whether the owner asked for the link of a document without a business name. */
  readonly isNameMissing: boolean;
  readonly isDeleting: boolean;
  /** The document as text, and the whole answer. */
  readonly text: () => string;
  readonly wholeText: () => string;
  /** The choice about the logo; null if the document has no logo, or if no link holds the document. */
  readonly logo: LogoChosen | null;
  readonly extras: Extras | null;
  readonly acts: BoughtActs;
};

const DAY_MS = 86_400_000;

/** A purchased answer: the document, its actions, and notes for its owner. */
export function BoughtView(props: BoughtProps) {
  const { kind, answer, letterhead, isKept, keptDays, extras } = props;
  const { body, boughtMs } = answer;
  const notes = kind.notes(body);
  return (
    <>
      <h2 class="bought-title" tabindex={-1}>
        {kind.heading}
      </h2>
      {isKept ? null : (
        <p class="note warning toolbar">
          Copy or print this now. Your browser forgets it when you close or reload the page.
        </p>
      )}
      <Exports {...props} />
      {props.logo === null ? null : <LogoChoice {...props.logo} />}
      <LetterheadFields {...props} fields={kind.paperFields(body)} />
      <div class="paper">
        <SheetView
          sheet={kind.sheet(body, letterhead, dayOf(boughtMs))}
          ticks={{ done: letterhead.done ?? '', onDone: (done) => props.acts.write('done', done) }}
        />
      </div>
      {extras?.next ? (
        <p class="buttons toolbar">
          <button type="button" class="quiet" onClick={extras.next.act}>
            {extras.next.says} <small>{extras.next.price}</small>
          </button>
        </p>
      ) : null}
      {notes.length === 0 ? null : (
        <details class="notes toolbar">
          <summary>Figures and notes for you</summary>
          <Blocks blocks={notes} />
        </details>
      )}
      <Receipt {...props} />
      {isKept ? (
        <p class="hint toolbar">
          Stored on this device until {spokenDay(boughtMs + keptDays * DAY_MS)}, and nowhere else.
        </p>
      ) : null}
      {extras === null ? null : (
        <p class="toolbar">
          <button type="button" class="link" onClick={extras.close}>
            Close the {kind.word}
          </button>
        </p>
      )}
      <Deleting
        isDeleting={props.isDeleting}
        question="Delete this document? You cannot get it back. For one day, we still warn you before you pay for the same document again."
        label="Delete this document"
        yes="Delete it"
        ask={props.acts.askToDelete}
        remove={props.acts.remove}
      />
    </>
  );
}

/** The day of a purchase, YYYY-MM-DD. */
export const dayOf = (boughtMs: number): string => new Date(boughtMs).toISOString().slice(0, 10);

function Exports(props: BoughtProps) {
  const { kind, letterhead, copied, isSharing, acts, text, wholeText } = props;
  const { word, isForClient } = kind;
  const copying = (label: string, words: () => string) => (
    <button type="button" class="quiet" onClick={() => acts.copy(label, words)}>
      {copied === label ? 'Copied' : label}
    </button>
  );
  const email = kind.email?.(props.answer.body, letterhead);
  // The client of a pack gets a link, and the client of a letter its text.
  const isSent = email !== undefined && !isForClient;
  const isShared = isSent && isSharing;
  return (
    <div class="buttons toolbar">
      {isForClient ? (
        <button type="button" onClick={acts.copyLink}>
          {copied === CLIENT_LINK ? 'Copied' : CLIENT_LINK}
        </button>
      ) : null}
      {isShared ? (
        <button type="button" onClick={() => acts.share(email)}>
          Send the {word}
        </button>
      ) : null}
      {email === undefined ? null : (
        <a class={isSent && !isShared ? 'button' : 'button quiet'} href={mailAddress(email)}>
          Email it
        </a>
      )}
      {isSent && !isShared ? copying(`Copy the ${word}`, () => email.body) : null}
      <button type="button" class={isForClient || isSent ? 'quiet' : undefined} onClick={acts.print}>
        Print or PDF
      </button>
      <details class="downloads">
        <summary>More</summary>
        {email === undefined || isSent ? null : copying(`Copy the ${word}`, () => email.body)}
        {email === undefined ? null : copying('Copy the subject', () => email.subject)}
        {copying('Copy as text', text)}
        {copying('Copy all as text', wholeText)}
      </details>
    </div>
  );
}

/** The id of the field for a part of a document. */
export const paperId = ({ name }: { readonly name: string }, part: string): string => `paper-${name}-${part}`;

function LetterheadFields(props: BoughtProps & { fields: readonly PaperField[] }) {
  const { fields, letterhead, isNoted, isRemembering, isNameMissing, acts } = props;
  const summary = letterhead.business && letterhead.client ? LETTERHEAD_DONE : LETTERHEAD;
  const isNameless = isNameMissing && (letterhead.business ?? '').trim() === '';
  const fault = { pointer: '/paper.business', code: 'required', detail: NAME_FIRST };
  return (
    <details class="letterhead toolbar">
      <summary>{fields.length === 1 ? 'Add your business name' : summary}</summary>
      <p class="hint">
        What you write here stays in your browser.
        {isNoted
          ? ' Your browser keeps it on this device together with the document, and deletes both together.'
          : ' It is forgotten when you close this page: print or copy it first.'}
      </p>
      <div class="fields">
        {fields.map(({ name, label, hint: help = '', isLong }) => (
          <Field
            key={name}
            field={paperField(name, label, { example: '', help, ...(isLong && { isLong: true }) })}
            id={paperId(props.answer, name)}
            value={letterhead[name] ?? ''}
            faults={name === 'business' && isNameless ? [fault] : []}
            live={{ onWrite: (value) => acts.write(name, value) }}
            isOnPaper
          />
        ))}
      </div>
      <p class="remembering">
        <RememberBox isRemembering={isRemembering} remember={acts.remember} />
      </p>
    </details>
  );
}

const Receipt = ({ price, explorer, answer: { transaction } }: BoughtProps) => (
  <p class="hint toolbar">
    <PaidLine paid={price} transaction={transaction} explorer={explorer} />
  </p>
);

type DeletingProps = {
  readonly isDeleting: boolean;
  readonly question: string;
  /** The label of the button that asks the question. */
  readonly label: string;
  readonly yes: string;
  readonly ask: (isAsked: boolean) => void;
  readonly remove: () => void;
};

/** A button that deletes something after the owner has confirmed it. */
export const Deleting = ({ isDeleting, question, label, yes, ask, remove }: DeletingProps) =>
  isDeleting ? (
    <div class="toolbar">
      <p tabindex={-1} class="sure">
        {question}
      </p>
      <p class="buttons">
        <button type="button" onClick={remove}>
          {yes}
        </button>
        <button type="button" class="quiet" onClick={() => ask(false)}>
          No, keep it
        </button>
      </p>
    </div>
  ) : (
    <p class="toolbar">
      <button type="button" class="link" onClick={() => ask(true)}>
        {label}
      </button>
    </p>
  );

/** "Three options for Harrow & Finch (26 November 2026, 14:05)" */
export const answerLine = ({ about, boughtMs }: BoughtAnswer): string =>
  `${about || 'Another document'} (${spokenTime(boughtMs)})`;

/** The initial letterhead of a document: from the answer, the link and the owner's remembered business. */
export function firstLetterhead(
  kind: Bought,
  body: unknown,
  came: Letterhead,
  own: (known: Partial<Letterhead>) => Partial<Letterhead>,
): Letterhead {
  const said = kind.known(body, came);
  const known = { ...written(inNameOf(said.business ?? '', came)), ...written(said) };
  // The answer has only the name of the client, and the document that was bought has the address too.
  const isSameClient = linesOf(came.client)[0] === said.client;
  return { ...BLANK, ...own(known), ...known, ...(isSameClient && { client: came.client }) };
}

const written = (letterhead: Partial<Letterhead>): Partial<Letterhead> =>
  Object.fromEntries(Object.entries(letterhead).filter(([, text]) => text !== ''));

export type PlaceProps = {
  /** The answer that is shown in full. */
  readonly first: Child;
  readonly earlier: readonly { readonly answer: BoughtAnswer; readonly open: () => void }[];
  /** Whether the last answer was just deleted. */
  readonly isDeleted: boolean;
};

/** The purchases on a page: one answer in full, the earlier ones as a list. */
export const BoughtPlace = ({ first, earlier, isDeleted }: PlaceProps) => (
  <>
    {first}
    {isDeleted ? (
      <p class="deleted note" tabindex={-1}>
        Deleted.
      </p>
    ) : null}
    {earlier.length === 0 ? null : (
      <section class="bought-rest toolbar note" aria-labelledby="bought-before">
        <h2 id="bought-before">Bought before</h2>
        <ul>
          {earlier.map(({ answer, open }) => (
            <li key={answer.name}>
              <button type="button" class="link" onClick={open}>
                {answerLine(answer)}
              </button>
            </li>
          ))}
        </ul>
        <p>
          Stored on this device for 30 days, and nowhere else.{' '}
          <a href="/on-this-device">Everything on this device</a>
        </p>
      </section>
    )}
  </>
);
