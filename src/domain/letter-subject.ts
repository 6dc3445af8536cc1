import { longDayText } from './calendar.ts';
import { type LetterFacts, lateWord, type Tone } from './letter-facts.ts';
import { isOfThePast } from './letter-figures.ts';
import { capitalised } from './letter-names.ts';
import { daysText } from './text.ts';

/** Mail programs show about this much; RFC 5322 asks for it (2.1.1). */
const SUBJECT_LENGTH = 78;

/** The fullest subject that fits. A name is left out rather than cut. */
export function subjectOf(tone: Tone, facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const subject = SUBJECTS[tone](facts);
  const from =
    business === null ? '' : BEGINS_WITH_FROM.test(business) ? ` ${business}` : ` from ${business}`;
  const due = longDayText(fee.terms.dueDate);
  // Without a number, the due date identifies the invoice.
  const tail = invoice.isNumbered ? subject.tail : subject.dated(due);
  const word = subject.label === '' ? 'Invoice' : 'invoice';
  const numbered = subject.label === '' ? invoice.capital : invoice.text;
  const ours = subject.label === '' ? 'Our invoice' : 'our invoice';
  // The owner is named once.
  const unowned = subject.label === '' ? capitalised(withoutOur(numbered)) : withoutOur(numbered);
  const bare = business === null ? ours : word;
  const name = invoice.isNumbered ? (business === null ? numbered : unowned) : bare;
  const choices = [
    `${subject.label}${name}${from}${tail}`,
    ...(invoice.isNumbered ? [`${subject.label}${numbered}${tail}`] : []),
    // A number alone does not say what the letter is about.
    ...(invoice.isNumbered && subject.label !== '' ? [`${subject.label}${numbered}`] : []),
  ];
  const fallback = `${subject.label}${ours}${subject.dated(due)}`;
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? fallback;
}

const BEGINS_WITH_FROM = /^from\s/iu;

const withoutOur = (name: string): string => name.replace(/^our\s+/iu, '');

type Subject = {
  /** Before the invoice; nothing where the subject begins with it. */
  readonly label: string;
  readonly tail: string;
  readonly dated: (due: string) => string;
};

const SUBJECTS: Readonly<Record<Tone, (facts: LetterFacts) => Subject>> = {
  polite: ({ fee, invoice }) => {
    const dated = (due: string) => ` ${invoice.isPlural ? 'were' : 'was'} due on ${due}`;
    return { label: '', tail: dated(longDayText(fee.terms.dueDate)), dated };
  },
  firm: (facts) => {
    const dated = (due: string) => `, due ${due}`;
    const late = lateWord(facts.onSendDay);
    const word = `${late.charAt(0).toUpperCase()}${late.slice(1)}`;
    const { daysLate, terms } = facts.fee;
    return isOfThePast(facts)
      ? { label: `${word}: `, tail: dated(longDayText(terms.dueDate)), dated }
      : { label: `${word} by ${daysText(daysLate)}: `, tail: '', dated };
  },
  final: (facts) => {
    const { daysLate, terms } = facts.fee;
    const dated = (due: string) => `, due ${due}`;
    if (isOfThePast(facts) || !facts.invoice.isNumbered)
      return { label: 'Final reminder: ', tail: dated(longDayText(terms.dueDate)), dated };
    // After a right-to-left name, a number would be displayed before it.
    const label = `Final reminder, ${lateWord(facts.onSendDay)} by ${daysText(daysLate)}: `;
    return { label, tail: '', dated };
  },
};
