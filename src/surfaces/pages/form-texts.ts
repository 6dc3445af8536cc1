/** "due_date" as a label: "Due date". */
export const labelFromName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Replaces field names such as rate_type in a sentence with words. */
export const inWords = (sentence: string): string =>
  sentence.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '));

/** The label of the button that opens the letterhead fields, and the labels of these fields. */
export const LETTERHEAD = 'Put your name, your client and more on it';
export const LETTERHEAD_LABELS = {
  business: 'Your business',
  contact: 'Your address, phone and email',
  client: 'Your client: name and address',
  number: 'Number of the quote',
  about: 'What it is for',
  note: 'Your terms, or a note',
  tax: 'What your tax is called',
  pay: 'Your payment link',
  accent: 'Color of the document',
};

/** Labels for what an owner can choose to keep on the device. */
export const KEEP_PURCHASE = 'Keep this purchase on this device';
export const CLIENT_LINK = 'Copy a link for your client';
export const REMEMBER = 'Remember my business on this device';

/** How a form labels a field. Programs read the description of the field instead. */
export type FieldText = {
  readonly label: string;
  /** Shown below the field; empty if the label is enough. */
  readonly help: string;
  /** A placeholder, such as 1250. */
  readonly example?: string;
  /** The unit of the field. */
  readonly unit?: '%';
  /** Folded below "More choices". */
  readonly isMore?: true;
  /** Has several lines. */
  readonly isLong?: true;
};

/** Texts by field name, prefixed with the list's name in a list, for every page; a view can have its own `fields`. */
export const FIELD_TEXTS: Readonly<Record<string, FieldText>> = {
  amount: { label: 'Amount', help: '', example: '1250' },
  currency: { label: 'Currency', help: '' },
  due_date: { label: 'Due date', help: '' },
  paid_date: { label: 'Up to', help: 'Empty: today.' },
  rate_type: { label: 'What you charge', help: '' },
  rate: {
    label: 'Interest per month, %',
    help: 'As in your terms. Empty: 1.5% a month.',
    example: '1.5',
  },
  grace_days: { label: 'Grace days', help: 'Days after the due date without a fee.' },
  accrual: { label: 'Added', help: '', isMore: true },
  amount_paid: {
    label: 'Already paid',
    help: 'If it was in time, or you do not know the day.',
    isMore: true,
  },
  payments: {
    label: 'Part payments',
    help: 'What your client paid, and when. Such as: 250 on 2026-09-20; 100 on 2026-10-03.',
    isMore: true,
  },
  more_invoices: {
    label: 'Further invoices',
    help: 'Of the same client. Such as: 500 due 2026-09-15 as INV-8; 90 due 2026-10-01.',
    isMore: true,
  },
  min_fee: { label: 'Minimum fee', help: '', isMore: true },
  max_fee: { label: 'Maximum fee', help: '', isMore: true },
  jurisdiction: {
    label: 'Interest by law',
    help: 'Between businesses: the UK in pounds, the EU in euros.',
    isMore: true,
  },
  reference_rate: {
    label: 'Central bank’s rate',
    help: 'Empty: the one we hold.',
    unit: '%',
    isMore: true,
  },
  tone: { label: 'Tone', help: '' },
  claim: { label: 'The letter asks for', help: 'Beside the invoice.', isMore: true },
  client_is_consumer: { label: 'My client is a consumer', help: '', isMore: true },
  client_name: { label: 'Your client', help: '', example: 'Acme Ltd' },
  business_name: { label: 'Your business', help: '', example: 'Green Gardens' },
  invoice_number: { label: 'Invoice number', help: '', example: 'INV-1042' },
  invoice_date: { label: 'Invoice date', help: '', isMore: true },
  purchase_order: { label: 'Your client’s order number', help: '', isMore: true },
  paid_on: {
    label: 'Paid in full on',
    help: 'Too late: the letter asks for the interest only.',
    isMore: true,
  },
  earlier_reminders: {
    label: 'Earlier reminders',
    help: 'Their days, such as: 2026-10-01, 2026-10-15.',
    isMore: true,
  },
  next_step: {
    label: 'Next step',
    help: 'What you do if nothing is paid.',
    isMore: true,
  },
  suspend_what: {
    label: 'What you stop',
    help: 'Such as: your hosting.',
    isMore: true,
  },
  contact: { label: 'Contact', help: 'For questions: name and phone.', isMore: true },
  signer: { label: 'Signed by', help: '', isMore: true },
  payment_details: {
    label: 'How to pay you',
    help: 'Such as your bank details. Empty: as on the invoice.',
    isLong: true,
    isMore: true,
  },
  pay_within_days: {
    label: 'Days to pay',
    help: 'From today. Empty: 7.',
    isMore: true,
  },
  items: { label: 'What you quote for', help: 'You can paste rows from a spreadsheet.' },
  'items.description': { label: 'What', help: '' },
  'items.quantity': { label: 'Quantity', help: '' },
  'items.unit_price': { label: 'Price', help: '' },
  'items.unit': { label: 'Unit', help: '', example: 'hour' },
  'items.discount_percent': { label: 'Discount, %', help: '', unit: '%' },
  'items.tax_percent': { label: 'Other tax, %', help: '', unit: '%' },
  'items.tier': { label: 'From option', help: '' },
  'items.markup': { label: 'Mark up', help: '' },
  tax_percent: { label: 'Tax', help: 'Such as VAT, GST or sales tax.', unit: '%' },
  discount_percent: { label: 'Discount', help: '', unit: '%' },
  discount_amount: { label: 'Discount as a sum', help: 'Instead of a percentage.', isMore: true },
  deposit_percent: { label: 'Deposit', help: 'Of the total.', unit: '%' },
  deposit_amount: { label: 'Deposit as a sum', help: 'Instead of a percentage.', isMore: true },
  prices_include_tax: { label: 'My prices include the tax', help: '', isMore: true },
  second_tax_percent: { label: 'Second tax', help: '', unit: '%', isMore: true },
  second_tax_name: { label: 'Name of the second tax', help: '', example: 'PST', isMore: true },
  round_total_to: { label: 'Round the total to', help: 'Such as 1 or 0.05.', isMore: true },
  recommended: { label: 'Option that you recommend', help: '', isMore: true },
  job: { label: 'The job', help: '', example: 'Garden at 4 Park Row', isMore: true },
  quote_number: { label: 'Number of the quote', help: '', example: 'Q-118', isMore: true },
  start: { label: 'Start of the work', help: '', example: 'First week of June', isMore: true },
  payment_stages: { label: 'Stages of payment', help: 'Semicolons between.', isMore: true },
  exclusions: { label: 'Not included', help: 'Semicolons between.', isMore: true },
  warranty: { label: 'Warranty', help: 'In a sentence.', isMore: true },
  extra_terms: { label: 'Your own terms', help: 'Semicolons between.', isMore: true },
  price_per: { label: 'The prices are per', help: 'For work that comes again.', isMore: true },
  valid_days: { label: 'Days it holds', help: 'From today.' },
  better_markup_percent: {
    label: 'The middle option costs more by',
    help: 'On the price of each line.',
    unit: '%',
  },
  best_markup_percent: {
    label: 'The dearest costs more by',
    help: 'Left empty, twice as much as the middle one.',
    unit: '%',
  },
  good_name: { label: 'Name of the first option', help: '', example: 'Essential', isMore: true },
  better_name: { label: 'Name of the middle option', help: '', example: 'Enhanced', isMore: true },
  best_name: { label: 'Name of the dearest option', help: '', example: 'Premium', isMore: true },
  better_adds: {
    label: 'What the middle option adds',
    help: 'Semicolons between.',
  },
  best_adds: { label: 'What the dearest adds', help: 'Semicolons between.' },
  round_unit_to: {
    label: 'Round marked-up prices to',
    help: 'Such as 0.05, 1 or 5.',
    isMore: true,
  },
  business_type: { label: 'Kind of business', help: 'The one most like yours.' },
  needs: {
    label: 'What else you need',
    help: 'Besides what your kind of business needs anyway; commas between, such as: backup, e-signature.',
  },
  team_size: { label: 'People who use the tools', help: '' },
  free_only: {
    label: 'Only tools without a subscription',
    help: 'And no other fixed cost, such as a domain. A tool that takes payments may still keep a share of each sale.',
  },
  country: { label: 'Country', help: '' },
  trade: {
    label: 'Your trade',
    help: 'In your own words, such as: nail salon, food truck. Its tools come first.',
  },
};

/** The label of the rate for each way of charging. */
export const RATE_LABELS: Readonly<Record<string, string>> = {
  monthly_percent: 'Interest per month, %',
  annual_percent: 'Interest per year, %',
  daily_percent: 'Interest per day, %',
  flat: 'Fee',
};

/** Labels for choices whose values owners would not understand. */
export const CHOICE_LABELS: Readonly<Record<string, string>> = {
  monthly_percent: 'Interest per month',
  annual_percent: 'Interest per year',
  daily_percent: 'Interest per day',
  flat: 'One fixed fee',
  polite: 'Polite: a first reminder',
  firm: 'Firm: a second one',
  final: 'Final: the last one',
  simple: 'Day by day',
  month_begun: 'For each month begun',
  compound: 'With interest on interest',
  suspend_work: 'Stop work until it is paid',
  collection: 'Pass it to a collection agency',
  court: 'Go to court',
  agreed: 'The late fee in my terms',
  statutory: 'Interest by law instead',
  reserve: 'No fee yet, but the right to it',
  none: 'The invoice only',
  GB: 'United Kingdom',
  EU: 'European Union',
  service: 'Service: you go to clients or they come to you (cleaning, hair, care, lessons)',
  trades: 'Trades: you quote, build and repair (plumbing, painting, gardens)',
  retail: 'Shop: you sell over a counter (florist, café, bakery)',
  online_store: 'Online store: you send goods to buyers',
  creator: 'Creator: you publish, and fans or readers pay',
  consultant: 'Consultant: you sell your advice by the hour or the project',
  agency: 'Agency: a team works for clients (design, marketing, software)',
  nonprofit: 'Nonprofit: a charity, a club or a church',
};

/**
 * The result of a submitted form on its page: the faults, or else the result. The address of a submitted form ends with
 * it.
 */
export const SENT = 'sent';
