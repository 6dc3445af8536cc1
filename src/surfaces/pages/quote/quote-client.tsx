import { cleanLine } from '../../../domain/text.ts';
import { addressIn, type Letterhead, mailAddress } from '../documents/letterhead.ts';
import { quoteName, quoteSheet } from '../documents/quote-sheet.ts';
import type { Sheet } from '../documents/sheet.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { Field } from '../form-field.tsx';
import { isTicked } from '../live-fields.tsx';
import { longDay } from '../views/format.ts';
import type { Body } from './quote-fields.tsx';
import { PAPER_FIELDS } from './quote-state.ts';

/** The actions for a finished quote. */
export type SendActs = {
  readonly close: () => void;
  readonly nameBusiness: (name: string) => void;
  readonly writeEmail: (email: string) => void;
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
  /** The owner's email, which the client's answer needs; null if the paper has one already. */
  readonly email: string | null;
  /** Whether the user tried to send it without a name. */
  readonly isNameMissing: boolean;
  /** Whether the link has the logo, and by how many characters that makes it longer; null without a logo. */
  readonly logo: { readonly isShown: boolean; readonly characters: number } | null;
  /** The last thing that was copied. */
  readonly copied: string | null;
  readonly acts: SendActs;
};

/** A quote as its client will see it, with the ways to send it. */
export function Sending({
  body,
  letterhead,
  link,
  asksName,
  email,
  isNameMissing,
  logo,
  copied,
  acts,
}: SendProps) {
  const mail = emailOf(body, letterhead, link);
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
      {email === null ? null : (
        <Field
          field={EMAIL}
          id="send-email"
          value={email}
          faults={[]}
          live={{ onWrite: acts.writeEmail }}
          isOnPaper
        />
      )}
      <p class="buttons">
        <button type="button" onClick={acts.copyLink}>
          {copied === 'link' ? 'Copied' : 'Copy a link for your client'}
        </button>
        {isNamed && mail.length <= MOST_CHARACTERS ? (
          <a class="button quiet" href={mail} onClick={acts.mail}>
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
              onInput={(event) => acts.showLogo(isTicked(event))}
            />{' '}
            Show my logo to my client
          </label>{' '}
          <span class="hint">
            The link then contains the picture and is {logo.characters.toLocaleString('en')} characters
            longer. Copy it, because email programs cut off such long links.
          </span>
        </p>
      )}
      <p class="hint">
        The link contains the quote itself. Your client can open it without an account, and we never see it.
      </p>
      <SheetView sheet={quoteSheet(body, letterhead)} />
    </>
  );
}

const EMAIL = {
  ...PAPER_FIELDS.number,
  name: 'paper.email',
  label: 'Your email',
  example: '',
  help: 'Your client accepts by sending an email to this address.',
};

const NAME_FIRST = 'is required: your client must know who the quote is from';

type ClientProps = {
  readonly sheet: Sheet;
  /** Today, as YYYY-MM-DD. */
  readonly today: string;
  /** The ways to accept, each with the address of its email. */
  readonly accepts: readonly (readonly [says: string, email: string])[];
  readonly print: () => void;
  /** Opens a copy in the form; null for a document that was bought. */
  readonly edit: (() => void) | null;
};

/** The page of a quote, or of three options, for the client that it was sent to. */
export function ClientPage({ sheet, today, accepts, print, edit }: ClientProps) {
  const until = sheet.facts.find(({ label }) => label === 'Valid until')?.value ?? '';
  const isExpired = sheet.validUntil !== undefined && sheet.validUntil < today;
  return (
    <>
      {until === '' ? null : (
        <p class={isExpired ? 'note warning toolbar' : 'note toolbar'}>
          {isExpired ? `This quote expired on ${until}. Please ask for a new one.` : `Valid until ${until}.`}
        </p>
      )}
      <p class="buttons toolbar">
        {(isExpired ? [] : accepts).map(([says, email]) => (
          <a class={accepts.length === 1 ? 'button' : 'button quiet'} href={email}>
            {says}
          </a>
        ))}
        <button type="button" class="quiet" onClick={print}>
          Print or save as PDF
        </button>
      </p>
      <SheetView sheet={sheet} />
      <p class="hint toolbar">
        The sender of this link wrote this quote, including any payment address. We only display it and do not
        know the sender: the link contains everything.
      </p>
      {edit === null ? null : (
        <p class="toolbar">
          <button type="button" class="quiet" onClick={edit}>
            Edit a copy
          </button>
        </p>
      )}
    </>
  );
}

/** The emails that accept one of several options. */
export const choicesOf = (sheet: Sheet): ClientProps['accepts'] =>
  sheet.parts
    .flatMap((part) => ('choices' in part ? part.choices : []))
    .map(([label, total]) => [
      `Accept ${label} by email`,
      mailto(
        addressIn(sheet.contact.join(' ')),
        `Accepted: ${label}, ${titleOf(sheet)}`,
        `I accept the option ${label} for a total of ${total}.`,
      ),
    ]);

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

/** The email that accepts a quote. */
export function acceptanceOf(body: Body, letterhead: Letterhead): ClientProps['accepts'] {
  const name = quoteName(body, letterhead);
  const words = `I accept ${name} for a total of ${body.formatted.total}.`;
  return [['Accept by email', mailto(addressIn(letterhead.contact), `Accepted: ${name}`, words)]];
}

// Email programs accept addresses of about 2,000 characters.
const MOST_CHARACTERS = 1_900;

const mailto = (to: string, subject: string, body: string): string => mailAddress({ to, subject, body });
