// Names that callers write instead of the fields of an operation, and what to send instead.

const TAX_NAMES = 'tax tax_rate vat vat_rate vat_percent gst';

/** Names that callers write for the fields of a line. */
export const ITEM_ALIASES = {
  ...named('unit_price', 'the price of one unit', 'price rate amount unit_amount'),
  ...named('description', 'the text of the line', 'name title item label product service text'),
  ...named('quantity', 'the number of units', 'qty count hours units number'),
  ...named('tax_percent', 'the tax on this line in percent, such as 20', TAX_NAMES),
  ...named('unit', 'the unit of the quantity, such as hour or m2', 'uom unit_of_measure measure unit_name'),
  ...named(
    'unit_cost',
    'your cost of one unit; send margin_percent or markup_percent with it',
    'cost cost_price',
  ),
  ...named('margin_percent', 'the profit as a percentage of the price; it needs unit_cost', 'margin profit'),
  ...hinted('send tax_name at the top level, once for all lines', 'tax_name tax_label'),
  total: 'leave it out: the line total is quantity times unit_price',
  line_total: 'leave it out: it is quantity times unit_price',
  taxable: 'send tax_percent 0 with a line that is not taxed',
  currency: 'send currency at the top level, once for all lines',
  ...hinted(
    'send discount_percent for this line; for an amount of money, send discount_amount at the top level',
    'discount discount_amount',
  ),
};

/** Gives all of these names the hint that they mean one field. */
export function named(field: string, what: string, names: string): Record<string, string> {
  return hinted(`did you mean ${field}? It is ${what}`, names);
}

/** Gives all of these names the same hint. */
export function hinted(hint: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, hint]));
}

const sumOrShare = (what: string): string =>
  `send ${what}_amount for an amount of money, or ${what}_percent for a percentage`;

/** Names that callers write for the fields of a quote. */
export const QUOTE_ALIASES = {
  ...named('items', 'the list of lines, each with a unit_price', 'lines line_items products services'),
  ...named('tax_percent', 'a percent such as 20', `${TAX_NAMES} sales_tax`),
  ...named(
    'prices_include_tax',
    'true or false',
    'tax_included tax_inclusive includes_tax inclusive include_tax',
  ),
  ...named(
    'valid_days',
    'a number of days from today, such as 30',
    'valid_until valid_to valid_through expires expiry expiry_date expires_on validity',
  ),
  ...named('tax_name', 'the name of the tax, such as VAT', 'tax_label tax_type vat_name'),
  ...named(
    'second_tax_percent',
    'a second tax on the same amounts, such as QST',
    'second_tax tax2 tax_2 qst pst',
  ),
  ...named(
    'round_total_to',
    'the step to round to, such as 0.05 or 1',
    'rounding cash_rounding round_to round_total',
  ),
  amount_paid: 'leave it out: a quote comes before payment; deposit_amount is what is paid in advance',
  tax_amount: 'send tax_percent, such as 20: the tax is calculated',
  ...hinted(sumOrShare('discount'), 'discount discount_rate'),
  ...hinted(sumOrShare('deposit'), 'deposit deposit_rate down_payment prepayment'),
  unit_price: 'send unit_price in each item, such as {"items":[{"unit_price":450}]}',
  quantity: 'send quantity in each item, together with unit_price',
  description: 'send description in each item, together with unit_price',
  ...hinted('leave it out: a quote is issued today', 'issued_on date'),
  ...hinted(
    'leave it out: the result does not show it',
    'customer_name customer client invoice_number notes',
  ),
};

/** Names that callers write for the fields of a late fee. */
export const LATE_FEE_ALIASES = {
  ...hinted('did you mean paid_date? The fee is calculated up to that day', 'as_of as_of_date'),
  ...hinted('did you mean min_fee?', 'minimum_fee'),
  ...hinted('did you mean max_fee?', 'maximum_fee cap'),
  ...named('payments', 'a list of amounts with their dates', 'amount_paid_date partial_payments'),
  ...hinted('did you mean accrual=compound?', 'compound compounding'),
  ...hinted('did you mean accrual=month_begun?', 'per_month'),
  ...named('jurisdiction', 'GB or EU', 'country statutory'),
  ...hinted('did you mean reference_rate? It needs jurisdiction', 'bank_rate base_rate'),
  date: 'did you mean due_date, or paid_date, the day up to which the fee is calculated?',
  invoices:
    'did you mean more_invoices? The first invoice is amount and due_date; the others go in this list',
};
