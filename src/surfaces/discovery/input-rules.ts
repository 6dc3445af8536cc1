/** A rule that no schema expresses: the code of its fault, and the rule as a sentence. */
export type InputRule = { readonly code: string; readonly says: string };

/** The spellings that are accepted in addition to those in the schemas. */
export const ALSO_ACCEPTED =
  'Beyond the schemas, the service accepts a number or boolean as text ("1250.00", "true"), a code in lower case, a list as JSON text, a list of texts as one text with semicolons, and a list of words instead of words separated by commas. It ignores null and blank text.';

/**
 * Every rule of an input that its schema does not have. The documents show these rules, and the test that generates
 * inputs from the schemas obeys them.
 */
export const inputRules: readonly InputRule[] = [
  {
    code: 'too_precise',
    says: 'A number has at most six decimals. amount, round_unit_to and round_total_to have at most as many as the currency (USD two, JPY none).',
  },
  {
    code: 'invalid_number',
    says: 'A number in a query or in text is digits with an optional decimal point, without an exponent.',
  },
  { code: 'invalid_date', says: 'A date is a calendar day, 1970-01-01 or later.' },
  {
    code: 'out_of_range',
    says: 'rate is at most 1000 for monthly_percent and annual_percent, 10 for daily_percent; amount_paid and payments are less than the amounts, and payments, paid_on and earlier_reminders are not in the future; min_fee is at most max_fee, discount_amount at most the subtotal, deposit_amount at most the total.',
  },
  {
    code: 'required',
    says: 'jurisdiction needs its currency; reference_rate needs jurisdiction; claim statutory needs jurisdiction and, if we have no rate, reference_rate; a flat fee in a currency without cents needs rate; an item has unit_price or unit_cost.',
  },
  {
    code: 'invalid_currency',
    says: 'A currency is the ISO 4217 code of a currency in use; jurisdiction GB needs GBP, and EU needs EUR.',
  },
  { code: 'invalid_country', says: 'A country is an ISO 3166-1 alpha-2 code.' },
  {
    code: 'too_long',
    says: 'Texts have the maximum lengths above; the schemas of MCP tools omit them.',
  },
  {
    code: 'invoice_not_overdue',
    says: 'A notice is only for overdue invoices: each due_date is before paid_date.',
  },
  { code: 'date_in_future', says: 'The paid_date of a notice is not after today (UTC).' },
  {
    code: 'unreadable',
    says: 'payments is a text such as "250 on 2026-09-20; 100 on 2026-10-03", more_invoices one such as "500 due 2026-09-15 as INV-8 of 2026-08-15; 90 due 2026-10-01" (number and date are optional); either may also be a list of objects with amount, date, due_date and number.',
  },
  {
    code: 'not_together',
    says: 'claim is not statutory with client_is_consumer; paid_on excludes paid_date, amount_paid and claim reserve or none; amount_paid excludes payments; accrual month_begun needs monthly_percent or flat; compound needs a percentage and excludes payments.',
  },
  {
    code: 'percent_and_amount',
    says: 'discount_percent and discount_amount exclude each other, and so do deposit_percent and deposit_amount.',
  },
  {
    code: 'price_and_cost',
    says: 'An item has a unit_price, or a unit_cost with either margin_percent or markup_percent; never both.',
  },
  { code: 'negative_subtotal', says: 'The items of a quote add up to at least 0.' },
  { code: 'negative_total', says: 'With tax, they also add up to at least 0.' },
  { code: 'total_too_large', says: 'No total is above 999,999,999,999.99.' },
  { code: 'no_good_line', says: 'At least one item of a pack is in the good option.' },
  { code: 'no_line', says: 'At least one is in the better option, and one in the best.' },
  { code: 'tier_and_tiers', says: 'tier and tiers of an item exclude each other.' },
  { code: 'same_name', says: 'good_name, better_name and best_name differ.' },
  { code: 'best_below_better', says: 'best_markup_percent is at least better_markup_percent.' },
  {
    code: 'unknown_category',
    says: 'category and needs name categories of GET /v1/tools, or common words for them.',
  },
  { code: 'too_many', says: 'payment_details has at most ten lines.' },
];
