import { dayIn, isInterest, isOfThePast, type LetterFacts, lateWord } from './letter-facts.ts';
import { capitalised } from './letter-names.ts';
import { daysText } from './text.ts';

/** Mail programs show about this many characters, and RFC 5322 recommends the limit (2.1.1). */
const SUBJECT_LENGTH = 78;

/**
 * The longest subject that fits. It always names the sender, if there is one. To fit, it drops the due date first, then
 * how late the invoice is, then the number.
 */
export function subjectOf(facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const { label, short = label, tail, dated } = subjectParts(facts);
  const said = (name: string) => (label === '' ? capitalised(name) : name);
  // The sender is named only once.
  const name = said(business === null ? invoice.text : invoice.text.replace(/^our\s+/iu, ''));
  const word = said(`${business === null ? 'our ' : ''}${invoice.isPlural ? 'invoices' : 'invoice'}`);
  const from =
    business === null ? '' : BEGINS_WITH_FROM.test(business) ? ` ${business}` : ` from ${business}`;
  const choices = [
    ...(invoice.isNumbered ? [`${label}${name}${from}${tail}`] : []),
    // A number by itself does not say what the letter is about.
    ...(invoice.isNumbered && `${label}${from}` !== ''
      ? [`${label}${name}${from}`, `${short}${name}${from}`]
      : []),
    // Several numbers are more likely to fit without the word "invoices".
    ...(invoice.isNumbered && invoice.isPlural && invoice.reference !== null && business !== null
      ? [`${short}${invoice.reference}${from}`]
      : []),
    `${label}${word}${from}${dated(dayIn(facts, fee.terms.dueDate))}`,
    `${label}${word}${from}`,
    `${short}${word}${from}`,
  ];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? shortened(choices.at(-1) ?? '');
}

/** A subject with a shortened sender name, cut between two words if possible. */
function shortened(subject: string): string {
  const cut = subject.slice(0, SUBJECT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = cut.replace(/\s+\S*$/u, '');
  return `${words.length > SUBJECT_LENGTH / 2 ? words : cut}…`;
}

const BEGINS_WITH_FROM = /^from\s/iu;

type Subject = {
  /** The text before the invoice; empty if the subject begins with the invoice. */
  readonly label: string;
  /** The label without the days late, for subjects that are too long. */
  readonly short?: string;
  /** The text after a numbered invoice. */
  readonly tail: string;
  /** The text after an invoice without a number, which its due date identifies. */
  readonly dated: (due: string) => string;
};

function subjectParts(facts: LetterFacts): Subject {
  const { tone, fee, invoice, onSendDay } = facts;
  const nothing = () => '';
  if (facts.paidOn !== null) {
    const added = facts.byLaw === null && !isInterest(fee) ? 'late fee' : 'interest';
    const label = { polite: added, firm: `unpaid: ${added}`, final: `final reminder: ${added}` }[tone];
    return { label: `${capitalised(label)} on `, tail: '', dated: nothing };
  }
  if (fee.terms.debts.some(({ dueDate }) => dueDate !== fee.terms.dueDate)) {
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

/** Says how late the invoice is; if that is not known, gives its due date. */
function lateSubject(facts: LetterFacts, word: string, isCounted: boolean): Subject {
  const dated = (due: string) => `, due ${due}`;
  // After a right-to-left name, a number would be displayed before the name.
  return isCounted && !isOfThePast(facts)
    ? { label: `${word} by ${daysText(facts.fee.daysLate)}: `, short: `${word}: `, tail: '', dated }
    : { label: `${word}: `, tail: dated(dayIn(facts, facts.fee.terms.dueDate)), dated };
}
