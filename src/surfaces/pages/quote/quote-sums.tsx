import type { Letterhead } from '../documents/letterhead.ts';
import { taxNameOf } from '../documents/quote.ts';
import { onPaper } from '../documents/sheet.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import { Chip, hasFault, LiveFields } from '../live-fields.tsx';
import type { Child } from '../markup.ts';
import { amountText, plain } from '../views/format.ts';
import { type Acts, type Body, type FieldsOf, PAPER_FIELDS } from './quote-state.ts';

/** The fields that each part of the document shows. Every other field of the operation is under "More". */
const PLACES = {
  discount: ['discount_percent', 'discount_amount'],
  tax: ['tax_percent', 'tax_name', 'prices_include_tax'],
  deposit: ['deposit_percent', 'deposit_amount'],
  validity: ['valid_days'],
  currency: ['currency'],
} as const;
/** The fields that have a place on the document. */
export const PLACED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

export const placedIn = (form: FormModel, place: keyof typeof PLACES): readonly FormField[] =>
  form.fields.filter(({ name }) => (PLACES[place] as readonly string[]).includes(name));

export const chipProps = (form: FormModel, { shown }: FieldsOf, place: keyof typeof PLACES) => ({
  isOpen: hasFault(placedIn(form, place), shown),
});

type SumsProps = {
  readonly form: FormModel;
  readonly of: FieldsOf;
  readonly letterhead: Letterhead;
  readonly acts: Acts | null;
};

/** The totals of a quote. Discount, tax and deposit are chosen in place. */
export function QuoteSums({ form, of, letterhead, acts }: SumsProps) {
  const { worked, currency } = of;
  const { body } = worked;
  const money = (sum: number): string => onPaper(amountText(sum, body?.currency ?? currency));
  const isDiscounted = body !== null && body.discount_amount !== 0;
  const rates = body?.tax_breakdown.filter(({ tax_percent }) => tax_percent !== 0) ?? [];
  const isTaxed = rates.length > 0;
  const hasDeposit = body !== null && body.deposit_amount !== 0;
  const isIncluded = body?.prices_include_tax === true;
  const fields = (place: 'discount' | 'tax' | 'deposit', more: readonly FormField[] = []) => (
    <LiveFields fields={[...placedIn(form, place), ...more]} of={of} write={acts?.write ?? null} />
  );
  const tax = (
    <Sum
      says={
        <Chip {...chipProps(form, of, 'tax')} isQuiet={!isTaxed} says={taxWords(body, of, letterhead)}>
          {fields('tax', namesTax(form) ? [] : [PAPER_FIELDS.tax])}
        </Chip>
      }
      value={body !== null && isTaxed ? money(body.tax_amount) : ''}
    />
  );
  const total = (
    <div class="sum main">
      <span>Total</span>
      <span id="quote-total">{money(body?.total ?? 0)}</span>
    </div>
  );
  return (
    <div class="quote-sums">
      {body !== null && (isDiscounted || (isTaxed && !isIncluded)) ? (
        <Sum says="Subtotal" value={money(body.subtotal)} />
      ) : null}
      <Sum
        says={
          <Chip {...chipProps(form, of, 'discount')} isQuiet={!isDiscounted} says={discountWords(body)}>
            {fields('discount')}
          </Chip>
        }
        value={isDiscounted ? money(-body.discount_amount) : ''}
      />
      {isIncluded ? [total, tax] : [tax, total]}
      <Sum
        says={
          <Chip {...chipProps(form, of, 'deposit')} isQuiet={!hasDeposit} says={depositWords(body)}>
            {fields('deposit')}
          </Chip>
        }
        value={hasDeposit ? `${money(body.deposit_amount)} now, ${money(body.balance_due)} later` : ''}
      />
    </div>
  );
}

const Sum = ({ says, value }: { says: Child; value: string }) => (
  <div class="sum">
    <span>{says}</span>
    <span>{value}</span>
  </div>
);

/** Whether the operation has a field for the name of the tax. */
const namesTax = (form: FormModel): boolean => form.fields.some(({ name }) => name === 'tax_name');

/** "Add VAT", "VAT 20%", "VAT" if there are several rates, "Includes VAT 20%". */
function taxWords(body: Body | null, { values, currency }: FieldsOf, letterhead: Letterhead): string {
  const name = taxNameOf({ tax: values.tax_name || letterhead.tax }, body?.currency ?? currency);
  const inSentence = name === 'Tax' ? 'tax' : name;
  const rates = body?.tax_breakdown.filter(({ tax_percent }) => tax_percent !== 0) ?? [];
  const [first] = rates;
  if (first === undefined) return `Add ${inSentence}`;
  const rate = rates.length === 1 ? ` ${plain(first.tax_percent)}%` : '';
  return body?.prices_include_tax ? `Includes ${inSentence}${rate}` : `${name}${rate}`;
}

const discountWords = (body: Body | null): string =>
  body === null || body.discount_amount === 0
    ? 'Add a discount'
    : `Discount${shareOf(body.discount_percent)}`;

const depositWords = (body: Body | null): string =>
  body === null || body.deposit_amount === 0
    ? 'Ask for a deposit'
    : `Deposit${shareOf(body.deposit_percent)}`;

const shareOf = (percent: number | null): string => (percent === null ? '' : ` ${plain(percent)}%`);
