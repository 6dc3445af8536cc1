import type { Fault } from '../../domain/result.ts';
import { inWords } from './form-texts.ts';

/**
 * Error texts for owners; each follows the label of its field. The first line whose pattern matches `code pointer
 * detail` applies. If none matches, the detail is clear enough; hints are for programs.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^required \/jurisdiction .*claim.*/,
    'is needed for a claim by law: choose the country whose law it is, or another claim',
  ],
  [
    /^required \/jurisdiction.*/,
    'is needed beside a central bank’s rate: choose one, or leave that rate empty',
  ],
  [
    /^\w+ \/currency .*jurisdiction.*/,
    'has to be pounds for the UK and euros for the EU: choose that, or no interest by law',
  ],
  [/^invalid_c(?:urrency|ountry).*/, 'is not one that we know'],
  [/^out_of_range \/min_fee is.*/, 'is more than the maximum fee: lower it, or leave that empty'],
  [/^out_of_range .* more than the (\w+) of (.*)/, 'is more than the $1: write at most $2'],
  [/^out_of_range \S* (.*) when.*/, '$1'],
  [/^too_precise \/round.*/, 'is too fine: write 0.05, 0.5, 1 or 5, for example'],
  [/^too_precise \S* (.*)/, '$1: round it'],
  [/^total_too_large.*/, 'comes to more than 999,999,999,999.99, the most that we work out'],
  [
    /^invalid_date \S* (?:0\d{3}|1[0-8]\d\d|19[0-6]\d)-.*/,
    'is before 1970, the first year that we work with',
  ],
  [/^invalid_date.*/, 'is not a date of the calendar'],
  [/^invalid_number \S* must.*/, 'is not a number that we can read'],
  [/^too_long .*texts of at most (\d+) char.*/, 'has a part of more than $1 characters: shorten it'],
  [/^invalid_list \S* .*?(\d+ to \d+).*/, 'takes $1 lines'],
  [/^invalid_(?:choice|type|list).*/, 'is not what this form asks for'],
  [/^unknown_field .*\/(.+) is.*/, 'has no field for “$1”, which came with the link'],
  [/^unreadable.*part (\d+).*/, 'has a part that we cannot read, part $1: write it like the example'],
  [
    /^not_together \/accrual.*(month_begun|compound).*/,
    'does not go with how you charge, or with part payments on days: choose “Day by day”',
  ],
  [/^not_together \/claim.*/, 'cannot be interest by law where the client is a consumer'],
  [/^not_together \/amount_paid.*/, 'is there twice: write it here or under “Part payments”'],
  [
    /^not_together \/paid_on.*/,
    'says that everything was paid: leave the other payments and the day to work it out to empty, and claim your fee or the interest by law',
  ],
  [/^percent_and_amount.*/, 'is there as a percentage, too: leave one of both empty'],
  [/^negative_.*?: (.*)/, 'comes to less than nothing: $1'],
  [
    /^best_below.*/,
    'is less than for the middle option, which is 25 where it is empty: raise this, or lower that',
  ],
  [/^same_name.*/, 'is the same as that of another option'],
  [/^no_good_line.*/, 'has no line that the first option begins with'],
  [/^unknown_category .*(did you mean .*)/, 'has a word that we do not know: $1'],
  [
    /^unknown_category.*/,
    'has a word that we do not know: write it like backup, e-signature, invoicing or scheduling',
  ],
];

/** The error in a field in an owner's words, with digits grouped in large figures. */
export function ownersWords({ code, pointer, detail, hint }: Fault): string {
  // Only for a need does the hint add something to the form: the word that was probably meant.
  const all = `${code} ${pointer} ${code === 'unknown_category' ? hint : detail}`;
  const [pattern, words = ''] = WORDS.find(([one]) => one.test(all)) ?? [];
  // A question from the form about a number shows the number as it was written.
  if (pattern === undefined && code === 'invalid_number') return detail;
  return inWords(pattern === undefined ? detail : all.replace(pattern, words)).replace(
    /\b\d{5,}|\b\d{4}(?=\.\d)/g,
    (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','),
  );
}
