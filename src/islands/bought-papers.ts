import type { AnswerOf, PaidPageName } from '../operations/answers.ts';
import { linesCsv } from '../surfaces/pages/documents/downloads.ts';
import type { Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { coverNoteOf, packSheet } from '../surfaces/pages/documents/pack-sheet.ts';
import { reportSheet } from '../surfaces/pages/documents/report-sheet.ts';
import { reportPaper } from '../surfaces/pages/views/report.ts';
import { elementOf } from './element.ts';
import { ABOUT, BUSINESS, CLIENT, CONTACT, NOTE, NUMBER, TAX } from './letterhead-fields.ts';
import type { PaperKind } from './paperwork.ts';
import { copyButton } from './toolbar.ts';

const pack: PaperKind<AnswerOf<'quote_pack'>> = {
  heading: 'The three options for your client',
  asked: (body) => [
    BUSINESS,
    CLIENT,
    CONTACT,
    ABOUT,
    NUMBER,
    TAX,
    ...body.options.flatMap(({ tier, label, adds_source }) =>
      tier === 'good'
        ? []
        : [
            {
              name: tier,
              label: `What ${label} adds, one a line`,
              rows: 3,
              ...(adds_source === 'none' && { hint: 'Say what your client gets for the higher price.' }),
            },
          ],
    ),
    NOTE,
  ],
  known: ({ business_name, client_name, job, quote_number, options }) => ({
    business: business_name ?? '',
    client: client_name ?? '',
    about: job ?? '',
    number: quote_number ?? '',
    tax: taxNameIn(options),
    ...Object.fromEntries(options.map(({ tier, adds }) => [tier, adds.join('\n')])),
  }),
  sheet: packSheet,
  csv: linesCsv,
  more: (body, letterhead) => emailActions('cover note', () => coverNoteOf(body, letterhead())),
};

/** The name of the tax where the answer has one name for it. */
function taxNameIn(options: AnswerOf<'quote_pack'>['options']): string {
  const names = new Set(
    options.flatMap(({ tax_breakdown }) => tax_breakdown.map(({ tax_name }) => tax_name)),
  );
  return names.size === 1 ? ([...names][0] ?? '') : '';
}

const report: PaperKind<AnswerOf<'small_business_stack_report'>> = {
  heading: 'The report',
  asked: () => [BUSINESS],
  known: () => ({}),
  sheet: (body, letterhead: Letterhead) => reportSheet(body, letterhead, reportPaper(body)),
};

/** The documents of paid operations; an answer without one is shown by its view. The letter has a page of its own. */
export const boughtPapers: { readonly [Name in PaidPageName]?: PaperKind<AnswerOf<Name>> } = {
  quote_pack: pack,
  small_business_stack_report: report,
};

/** Ways to send words as an email: copied in parts, or opened in an email program. */
function emailActions(what: string, email: () => Email): readonly HTMLElement[] {
  const link = elementOf('a', 'button quiet', 'Open in your email program');
  link.href = mailAddress(email());
  // The text may have been changed since.
  for (const before of ['focus', 'pointerdown', 'contextmenu', 'click'])
    link.addEventListener(before, () => {
      link.href = mailAddress(email());
    });
  return [
    link,
    copyButton('Copy the subject', () => email().subject),
    copyButton(`Copy the ${what}`, () => email().body),
  ];
}

type Email = { readonly subject: string; readonly body: string };

/** A mailto: address without a recipient; RFC 6068 wants line breaks as CR LF. */
const mailAddress = ({ subject, body }: Email): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
