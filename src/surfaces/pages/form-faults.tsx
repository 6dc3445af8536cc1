import type { Fault } from '../../domain/result.ts';
import type { FormField, FormList } from './form-fields.ts';
import { inWords } from './form-texts.ts';

/** The field properties that the words of a fault depend on. */
export type LabelledField = Pick<FormField, 'name' | 'label' | 'required'>;
type LabelledList = Pick<FormList, 'name' | 'label'> & { readonly fields: readonly LabelledField[] };
export type LabelledForm = {
  readonly fields: readonly LabelledField[];
  readonly lists: readonly LabelledList[];
};

/** The id of an input: a field, or a field in a row counted from 0. */
export const fieldId = (path: readonly (string | number)[]): string => `f-${path.join('-')}`;

/** The input that a fault's pointer refers to, or null if it refers to the whole form. */
export function faultTarget({ pointer }: Fault, { fields, lists }: LabelledForm): string | null {
  const [, name = '', index, part] = pointer.split('/');
  if (fields.some((field) => field.name === name)) return fieldId(name.split('.'));
  const list = lists.find((one) => one.name === name);
  if (list === undefined) return null;
  const row = Number(index ?? 0);
  const first = list.fields.find(({ required }) => required) ?? list.fields[0];
  return fieldId([name, row, part ?? first?.name.slice(name.length + 1) ?? '']);
}

/** Every fault in one place, linked to its field. */
export function FaultSummary({ faults, form }: { faults: readonly Fault[]; form: LabelledForm }) {
  return (
    <div id="faults" class="faults" role="alert">
      {faults.length === 0 ? null : (
        <>
          <p>
            {faults.length === 1 ? 'One thing needs a change:' : `${faults.length} things need a change:`}
          </p>
          <ul>
            {faults.map((fault) => {
              const target = faultTarget(fault, form);
              const text = faultText(fault, form);
              return <li>{target === null ? text : <a href={`#${target}`}>{text}</a>}</li>;
            })}
          </ul>
        </>
      )}
    </div>
  );
}

/** A label inside a sentence. It is quoted because many labels are phrases that would blend into the sentence. */
const quoted = (label: string): string => `“${label}”`;

/** A fault as a sentence: "Line 2, “Price” is required". */
export const faultText = (fault: Fault, form: LabelledForm): string =>
  `${subjectOf(fault, form)} ${ownersWords(fault)}`;

function subjectOf({ pointer }: Fault, { fields, lists }: LabelledForm): string {
  const [, name = '', index, part] = pointer.split('/');
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) return quoted(field.label);
  const list = lists.find((one) => one.name === name);
  if (list === undefined) return 'The form';
  if (index === undefined) return quoted(list.label);
  const inRow = list.fields.find((one) => one.name === `${name}.${part}`);
  return `Line ${Number(index) + 1}${inRow === undefined ? '' : `, ${quoted(inRow.label)}`}`;
}

/** The faults of one field. */
export const faultsAt = (faults: readonly Fault[], pointer: string): readonly Fault[] =>
  faults.filter((fault) => fault.pointer === pointer);

/**
 * Error texts for owners. Each follows the label of its field. The first line whose pattern matches `code pointer
 * detail` applies. If none matches, the detail is clear enough. Hints are for programs.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^required \/jurisdiction .*claim.*/,
    'is required for interest by law: choose the country whose law applies, or ask for something else',
  ],
  [
    /^required \/jurisdiction.*/,
    'is required with a central bank’s rate: choose a country, or leave that rate empty',
  ],
  [
    /^\w+ \/currency .*jurisdiction.*/,
    'must be pounds for the UK or euros for the EU: choose that currency, or do not claim interest by law',
  ],
  [/^invalid_c(?:urrency|ountry).*/, 'is not one that we know'],
  [/^out_of_range \/min_fee is.*/, 'is more than the maximum fee: lower it, or leave the maximum empty'],
  [/^out_of_range .* more than the (\w+) of (.*)/, 'is more than the $1: enter at most $2'],
  [/^out_of_range \S* (.*) when.*/, '$1'],
  [/^too_precise \/round.*/, 'is too small: use 0.05, 0.5, 1 or 5, for example'],
  [/^too_precise \S* (.*)/, '$1: round it'],
  [/^total_too_large.*/, 'comes to more than 999,999,999,999.99, the most that we can calculate'],
  [/^invalid_date \S* (?:0\d{3}|1[0-8]\d\d|19[0-6]\d)-.*/, 'is before 1970, the first year that we support'],
  [/^invalid_date.*/, 'is not a calendar date'],
  [/^invalid_number \S* must.*/, 'is not a number that we can read'],
  [/^too_long .*texts of at most (\d+) char.*/, 'has an entry of more than $1 characters: shorten it'],
  [/^invalid_list \S* .*?(\d+ to \d+).*/, 'must have $1 lines'],
  [/^invalid_(?:choice|type|list).*/, 'is not one of the choices on this form'],
  [/^unknown_field .*\/(.+) is.*/, 'has no field for “$1”, which came with the link'],
  [/^unreadable.*part (\d+).*/, 'has an entry that we cannot read (number $1): enter it like the example'],
  [
    /^not_together \/accrual.*(month_begun|compound).*/,
    'cannot be combined with how you charge, or with dated part payments: choose “Day by day”',
  ],
  [/^not_together \/claim.*/, 'cannot be interest by law if the client is a consumer'],
  [/^not_together \/amount_paid.*/, 'is entered twice: enter it here or under “Part payments”'],
  [
    /^not_together \/paid_on.*/,
    'means that everything was paid: leave the other payments and “Up to” empty, and ask for your fee or for interest by law',
  ],
  [/^percent_and_amount.*/, 'is also given as a percentage: leave one of the two empty'],
  [/^negative_.*?: (.*)/, 'comes to less than nothing: $1'],
  [
    /^best_below.*/,
    'is less than the markup of the middle option (25 if left empty): raise this one, or lower the other',
  ],
  [/^same_name.*/, 'is the same as the name of another option'],
  [/^no_good_line.*/, 'has no line in the first option'],
  [/^unknown_category .*(did you mean .*)/, 'has a word that we do not know: $1'],
  [
    /^unknown_category.*/,
    'has a word that we do not know: enter words like backup, e-signature, invoicing or scheduling',
  ],
];

/** The error in a field in an owner's words, with digits grouped in large figures. */
export function ownersWords({ code, pointer, detail, hint }: Fault): string {
  // A hint is useful on a form only for a need, where it gives the word that was probably meant.
  const all = `${code} ${pointer} ${code === 'unknown_category' ? hint : detail}`;
  const [pattern, words = ''] = WORDS.find(([one]) => one.test(all)) ?? [];
  // If the form asks about a number, it shows the number as it was written.
  if (pattern === undefined && code === 'invalid_number') return detail;
  return inWords(pattern === undefined ? detail : all.replace(pattern, words)).replace(
    /\b\d{5,}|\b\d{4}(?=\.\d)/g,
    (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','),
  );
}
