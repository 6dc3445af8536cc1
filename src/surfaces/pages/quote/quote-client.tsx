import { cleanLine } from '../../../domain/text.ts';
import type { Letterhead } from '../documents/letterhead.ts';
import { quoteName, quoteSheet } from '../documents/quote-sheet.ts';
import type { Sheet } from '../documents/sheet.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { Field } from '../form-field.tsx';
import { longDay } from '../views/long-day.ts';
import type { Body } from './quote-fields.tsx';
import { PAPER_FIELDS } from './quote-state.ts';

/** The actions for a finished quote. */
export type SendActs = {
  readonly close: () => void;
  readonly nameBusiness: (name: string) => void;
  readonly copyLink: () => void;
  readonly copyText: () => void;
  /** Called when the email is opened. */
  readonly mail: () => void;
  readonly print: () => void;
  readonly saveLines: () => void;
  readonly showLogo: (isShown: boolean) => void;
};

type SendProps = {
  readonly body: Body;
  readonly letterhead: Letterhead;
  /** The address of the quote for its client. */
  readonly link: string;
  /** Whether the page asks for the business name, which the client needs. */
  readonly asksName: boolean;
  /** Whether the user tried to send it without a name. */
  readonly isNameMissing: boolean;
  /** Whether the link has the logo, and by how many characters that makes it longer; null without a logo. */
  readonly logo: { readonly isShown: boolean; readonly characters: number } | null;
  /** The last thing that was copied. */
  readonly copied: 'link' | 'text' | null;
  readonly acts: SendActs;
};

/** A quote as its client will see it, with the ways to send it. */
export function Sending({ body, letterhead, link, asksName, isNameMissing, logo, copied, acts }: SendProps) {
  const email = emailOf(body, letterhead, link);
  const isNamed = cleanLine(letterhead.business) !== '';
  const fault = { pointer: '/paper.business', code: 'required', detail: NAME_FIRST };
  return (
    <>
      <p class="send-head">
        <strong id="send-title">Send it to your client</strong>
        <button type="button" class="quiet" onClick={acts.close}>
          Close
        </button>
      </p>
      {asksName ? (
        <Field
          field={PAPER_FIELDS.business}
          id="send-business"
          value={letterhead.business}
          faults={isNameMissing && !isNamed ? [fault] : []}
          live={{ onWrite: acts.nameBusiness }}
          isOnPaper
        />
      ) : null}
      <p class="buttons">
        <button type="button" onClick={acts.copyLink}>
          {copied === 'link' ? 'Copied' : 'Copy a link for your client'}
        </button>
        {isNamed && email.length <= MOST_CHARACTERS ? (
          <a class="button quiet" href={email} onClick={acts.mail}>
            Email it
          </a>
        ) : null}
        <button type="button" class="quiet" onClick={acts.print}>
          Print or save as PDF
        </button>
        <button type="button" class="quiet" onClick={acts.copyText}>
          {copied === 'text' ? 'Copied' : 'Copy as text'}
        </button>
        <button type="button" class="quiet" onClick={acts.saveLines}>
          Lines for a spreadsheet (CSV)
        </button>
      </p>
      {logo === null ? null : (
        <p class="send-choice">
          <label>
            <input
              type="checkbox"
              checked={logo.isShown}
              onInput={({ currentTarget }) =>
                acts.showLogo((currentTarget as unknown as { checked: boolean }).checked)
              }
            />{' '}
            Show my logo to my client
          </label>{' '}
          <span class="hint">
            The link then holds the picture, and is {logo.characters.toLocaleString('en')} characters longer:
            copy it, because email programs cut so long a link.
          </span>
        </p>
      )}
      <p class="hint">The link holds the quote itself. It opens without an account, and we never see it.</p>
      <SheetView sheet={quoteSheet(body, letterhead)} />
    </>
  );
}

const NAME_FIRST = 'is needed first: your client must know whom the quote is from';

type ClientProps = {
  readonly body: Body;
  readonly letterhead: Letterhead;
  /** Today, as YYYY-MM-DD. */
  readonly today: string;
  readonly print: () => void;
  readonly edit: () => void;
};

/** The page of a quote for the client that it was sent to. */
export function ClientQuote({ body, letterhead, today, print, edit }: ClientProps) {
  const sheet = quoteSheet(body, letterhead);
  const until = longDay(body.valid_until);
  const isExpired = body.valid_until < today;
  const accept = isExpired ? null : acceptanceOf(body, letterhead);
  return (
    <>
      <p class={isExpired ? 'note warning toolbar' : 'note toolbar'}>
        {isExpired ? `This quote expired on ${until}. Please ask for a new one.` : `Valid until ${until}.`}
      </p>
      <p class="buttons toolbar">
        {accept === null ? null : (
          <a class="button" href={accept}>
            Accept by email
          </a>
        )}
        <button type="button" class="quiet" onClick={print}>
          Print or save as PDF
        </button>
      </p>
      <SheetView sheet={sheet} />
      <WrittenBySender />
      <p class="toolbar">
        <button type="button" class="quiet" onClick={edit}>
          Edit a copy
        </button>
      </p>
    </>
  );
}

type SheetProps = { readonly sheet: Sheet; readonly print: () => void };

/** The page of three options for the client that they were sent to. */
export function ClientSheet({ sheet, print }: SheetProps) {
  const choices = sheet.parts.flatMap((part) => ('choices' in part ? part.choices : []));
  const until = sheet.facts.find(({ label }) => label === 'Valid until')?.value ?? '';
  const to = addressIn(sheet.contact.join(' '));
  return (
    <>
      {until === '' ? null : <p class="note toolbar">Valid until {until}.</p>}
      <p class="buttons toolbar">
        {choices.map(([label, total]) => (
          <a
            class="button quiet"
            href={mailto(
              to,
              `Accepted: ${label}, ${titleOf(sheet)}`,
              `I accept the option ${label}, ${total} in all.`,
            )}
          >
            Accept {label} by email
          </a>
        ))}
        <button type="button" class="quiet" onClick={print}>
          Print or save as PDF
        </button>
      </p>
      <SheetView sheet={sheet} />
      <WrittenBySender />
    </>
  );
}

const WrittenBySender = () => (
  <p class="hint toolbar">
    The sender of the link wrote this quote, with any address to pay at. We only show it, and do not know
    them: the link holds all of it.
  </p>
);

/** "Quote Q-118 from Green Gardens": the title of the page, and the name of the file when it is printed. */
export const titleOf = ({ title, business, facts }: Sheet): string => {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const from = business === '' ? '' : `from ${business}`;
  return [title ?? 'Quote', number, from].filter(Boolean).join(' ');
};

/** An email with the link, for the owner to send. */
function emailOf(body: Body, letterhead: Letterhead, link: string): string {
  const sheet = quoteSheet(body, letterhead);
  const words = `Please find ${quoteName(body, letterhead)} here:\n\n${link}\n\nIt is valid until ${longDay(body.valid_until)}.\n\n${sheet.business}`;
  return mailto(addressIn(letterhead.client), titleOf(sheet), words);
}

/** An email that accepts a quote, for the client to send. */
function acceptanceOf(body: Body, letterhead: Letterhead): string {
  const name = quoteName(body, letterhead);
  const words = `I accept ${name}, ${body.formatted.total} in all.`;
  return mailto(addressIn(letterhead.contact), `Accepted: ${name}`, words);
}

/** The first email address in a text; '' if there is none, so that the writer chooses one. */
const addressIn = (text: string): string =>
  /[^\s@<>,;:()]+@[^\s@<>,;:()]+\.[^\s@<>,;:()]+/.exec(text)?.[0] ?? '';

// Email programs accept addresses of about 2,000 characters.
const MOST_CHARACTERS = 1_900;

const mailto = (to: string, subject: string, words: string): string =>
  `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(words)}`;
