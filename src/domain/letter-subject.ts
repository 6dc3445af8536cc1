import {
  claimedByLaw,
  dayIn,
  isInterest,
  isOfThePast,
  type LetterFacts,
  lateWord,
  type Tone,
} from './letter-facts.ts';
import { capitalised } from './letter-names.ts';
import { daysText } from './text.ts';

/** Mail programs show about this much; RFC 5322 asks for it (2.1.1). */
const SUBJECT_LENGTH = 78;

/** The fullest subject that fits. It always names the sender; what is left out first is the due date, then how late it is, then the number. */
export function subjectOf(tone: Tone, facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const { label, short = label, tail, dated } = subjectParts(tone, facts);
  const isFirst = label === '';
  const due = dated(dayIn(facts, fee.terms.dueDate));
  const said = (name: string) => (isFirst ? capitalised(name) : name);
  if (business === null) {
    const named = `${label}${said(invoice.text)}`;
    const choices = invoice.isNumbered ? [`${named}${tail}`, named, `${short}${invoice.text}`] : [];
    // A number alone does not say what the letter is about.
    const fitting = choices.find((one) => one.length <= SUBJECT_LENGTH && !(isFirst && one === named));
    return fitting ?? `${label}${said(invoice.isPlural ? 'our invoices' : 'our invoice')}${due}`;
  }
  // The owner is named once.
  const numbered = said(invoice.text.replace(/^our\s+/iu, ''));
  const from = BEGINS_WITH_FROM.test(business) ? business : `from ${business}`;
  const word = said(invoice.isPlural ? 'invoices' : 'invoice');
  const choices = [
    ...(invoice.isNumbered
      ? [
          `${label}${numbered} ${from}${tail}`,
          `${label}${numbered} ${from}`,
          `${short}${numbered} ${from}`,
          // Several numbers fit more often without their word.
          ...(invoice.isPlural && invoice.reference !== null ? [`${short}${invoice.reference} ${from}`] : []),
        ]
      : []),
    `${label}${word} ${from}${due}`,
    `${label}${word} ${from}`,
    `${short}${word} ${from}`,
  ];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? shortened(choices.at(-1) ?? '');
}

/** A subject whose sender has too long a name, cut between two words where it has several. */
function shortened(subject: string): string {
  const cut = subject.slice(0, SUBJECT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = cut.replace(/\s+\S*$/u, '');
  return `${words.length > SUBJECT_LENGTH / 2 ? words : cut}…`;
}

const BEGINS_WITH_FROM = /^from\s/iu;

type Subject = {
  /** Before the invoice; nothing where the subject begins with it. */
  readonly label: string;
  /** The same without how late it is, where the subject is too long otherwise. */
  readonly short?: string;
  /** After a numbered invoice. */
  readonly tail: string;
  /** After an invoice without a number, which its due date identifies. */
  readonly dated: (due: string) => string;
};

function subjectParts(tone: Tone, facts: LetterFacts): Subject {
  const { fee, invoice, onSendDay } = facts;
  const nothing = () => '';
  if (facts.paidOn !== null) {
    const added = claimedByLaw(facts) === null && !isInterest(fee) ? 'late fee' : 'interest';
    const label = { polite: added, firm: `unpaid: ${added}`, final: `final reminder: ${added}` }[tone];
    return { label: `${capitalised(label)} on `, tail: '', dated: nothing };
  }
  if (fee.debts.some(({ dueDate }) => dueDate !== fee.terms.dueDate)) {
    const label = { polite: '', firm: 'Overdue: ', final: 'Final reminder: ' }[tone];
    const tail = tone === 'polite' ? ' are overdue' : '';
    return { label, tail, dated: () => tail };
  }
  const isCounted = tone === 'firm' || invoice.isNumbered;
  switch (tone) {
    case 'polite': {
      const dated = (due: string) => ` ${invoice.isPlural ? 'were' : 'was'} due on ${due}`;
      return { label: '', tail: dated(dayIn(facts, fee.terms.dueDate)), dated };
    }
    case 'firm':
      return lateSubject(facts, capitalised(lateWord(onSendDay)), isCounted);
    case 'final': {
      const isNow = isCounted && !isOfThePast(facts);
      const subject = lateSubject(
        facts,
        `Final reminder${isNow ? `, ${lateWord(onSendDay)}` : ''}`,
        isCounted,
      );
      return { ...subject, short: 'Final reminder: ' };
    }
  }
}

/** Names how late the invoice is, and its due date where that is not told. */
function lateSubject(facts: LetterFacts, word: string, isCounted: boolean): Subject {
  const dated = (due: string) => `, due ${due}`;
  // After a right-to-left name, a number would be displayed before it.
  return isCounted && !isOfThePast(facts)
    ? { label: `${word} by ${daysText(facts.fee.daysLate)}: `, short: `${word}: `, tail: '', dated }
    : { label: `${word}: `, tail: dated(dayIn(facts, facts.fee.terms.dueDate)), dated };
}
