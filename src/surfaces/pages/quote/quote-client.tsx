import { cleanLine } from '../../../domain/text.ts';
import { addressIn, type Letterhead, mailAddress } from '../documents/letterhead.ts';
import { LogoChoice, type LogoChosen } from '../documents/logo-choice.tsx';
import { quoteName, quoteSheet } from '../documents/quote.ts';
import { onPaper, type Sheet } from '../documents/sheet.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { Field } from '../form-field.tsx';
import { CLIENT_LINK, NAME_FIRST } from '../form-texts.ts';
import { longDay } from '../views/format.ts';
import type { Body } from './quote-state.ts';
import { PAPER_FIELDS } from './quote-state.ts';

/** What the client needs, if the document does not have it: the name of the business, and its email address. */
export type Asked = 'business' | 'contact';

/** The actions for a finished quote. */
export type SendActs = {
  readonly close: () => void;
  readonly write: (name: Asked, value: string) => void;
  readonly copyLink: () => void;
  readonly copyText: () => void;
  /** Called when the email is opened. */
  readonly mail: () => void;
  readonly print: () => void;
};

type SendProps = {
  readonly body: Body;
  readonly letterhead: Letterhead;
  /** The address of the quote for its client. */
  readonly link: string;
  readonly asks: readonly Asked[];
  /** Whether the user tried to send the quote without a name. */
  readonly isNameMissing: boolean;
  /** null without a logo. */
  readonly logo: LogoChosen | null;
  readonly copied: string | null;
  /** Whether the device shares the link instead of copying it. */
  readonly isSharing: boolean;
  readonly acts: SendActs;
};

/** A quote as its client will see it, with the ways to send it. */
export function Sending({
  body,
  letterhead,
  link,
  asks,
  isNameMissing,
  logo,
  copied,
  isSharing,
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
      {asks.map((name) => (
        <Field
          key={name}
          field={ASKED[name]}
          id={`send-${name}`}
          value={letterhead[name]}
          faults={name === 'business' && isNameMissing && !isNamed ? [fault] : []}
          live={{ onWrite: (value) => acts.write(name, value) }}
          isOnPaper
        />
      ))}
      <p class="buttons">
        <button type="button" onClick={acts.copyLink}>
          {copied === 'link' ? 'Copied' : isSharing ? 'Send a link to your client' : CLIENT_LINK}
        </button>
        {isNamed && mail.length <= MOST_CHARACTERS ? (
          <a class="button quiet" href={mail} onClick={acts.mail}>
            Email it
          </a>
        ) : null}
        <button type="button" class="quiet" onClick={acts.print}>
          Print or save as PDF
        </button>
      </p>
      <p class="send-more">
        <button type="button" class="link" onClick={acts.copyText}>
          {copied === 'text' ? 'Copied' : 'Copy as text'}
        </button>
      </p>
      {logo === null ? null : <LogoChoice {...logo} />}
      <p class="hint">
        The link contains the quote itself. Your client can open it without an account, and we do not see it.
      </p>
      <SheetView sheet={quoteSheet(body, letterhead)} />
    </>
  );
}

const { isLong: _, ...NAME } = PAPER_FIELDS.business;

const ASKED = {
  business: { ...NAME, example: '' },
  contact: { ...PAPER_FIELDS.contact, help: 'With an email address, your client can accept by email.' },
};

export type ClientProps = {
  readonly sheet: Sheet;
  /** Today, as YYYY-MM-DD. */
  readonly today: string;
  /** The ways to accept: each with its total, the address of its email, and whether it is the main one. */
  readonly accepts: readonly {
    readonly says: string;
    readonly total: string;
    readonly email: string;
    readonly isMain: boolean;
  }[];
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
      <div class="client-bar toolbar">
        {until === '' ? null : (
          <p class={isExpired ? 'warning' : 'hint'}>
            {isExpired ? `This quote expired on ${until}. Please ask for a new one.` : `Valid until ${until}`}
          </p>
        )}
        {isExpired
          ? null
          : accepts.map(({ says, total, email, isMain }) => (
              <p class="accept">
                <strong>{total}</strong>
                <a class={isMain ? 'button' : 'button quiet'} href={email}>
                  {says}
                </a>
              </p>
            ))}
      </div>
      <SheetView sheet={sheet} />
      <p class="hint toolbar">
        The sender of this link wrote the quote and every payment address in it. We only show it, and do not
        know them.
      </p>
      <p class="buttons toolbar">
        <button type="button" class="quiet" onClick={print}>
          Print or save as PDF
        </button>
        {edit === null ? null : (
          <button type="button" class="quiet" onClick={edit}>
            Edit a copy
          </button>
        )}
      </p>
    </>
  );
}

/** The emails that accept one of several options. */
export function choicesOf(sheet: Sheet): ClientProps['accepts'] {
  const options = sheet.parts.flatMap((part) => ('options' in part ? part.options : []));
  return options.map(({ label, total, isRecommended }) => ({
    says: `Accept ${label} by email`,
    total,
    email: mailAddress({
      to: addressIn(sheet.contact.join(' ')),
      subject: `Accepted: ${label}, ${titleOf(sheet)}`,
      body: `I accept the option ${label} for a total of ${total}.`,
    }),
    isMain: isRecommended,
  }));
}

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
  return mailAddress({ to: addressIn(letterhead.client), subject: titleOf(sheet), body: words });
}

/** The email that accepts a quote. */
export function acceptanceOf(body: Body, letterhead: Letterhead): ClientProps['accepts'] {
  const name = quoteName(body, letterhead);
  const { total } = body.formatted;
  const email = mailAddress({
    to: addressIn(letterhead.contact),
    subject: `Accepted: ${name}`,
    body: `I accept ${name} for a total of ${total}.`,
  });
  return [{ says: 'Accept by email', total: onPaper(total), email, isMain: true }];
}

// Email programs accept addresses of about 2,000 characters.
const MOST_CHARACTERS = 1_900;
