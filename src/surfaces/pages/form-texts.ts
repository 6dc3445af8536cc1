/** "due_date" as a label: "Due date". */
export const labelFromName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Replaces field names such as rate_type in a sentence with words. */
export const inWords = (sentence: string): string =>
  sentence.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '));

/** The label of the button that opens the letterhead fields, and the labels of these fields. */
export const LETTERHEAD = 'Add your name, your client and more';
export const LETTERHEAD_DONE = 'Change names and details';
/** The error of a document without the sender's name. */
export const NAME_FIRST = 'is required: your client must know who the quote is from';
export const LETTERHEAD_LABELS = {
  business: 'Your business',
  contact: 'Your address, phone and email',
  client: 'Client’s name and address',
  number: 'Quote number',
  about: 'What it is for',
  note: 'Terms or a note',
  tax: 'Name of your tax',
  pay: 'Your payment link',
  accent: 'Document color',
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
  readonly unit?: '%';
  /** Has several lines. */
  readonly isLong?: true;
};

/** Texts by field name, prefixed with the list's name in a list, for every page; a view can have its own `fields`. */
export const FIELD_TEXTS: Readonly<Record<string, FieldText>> = {
  amount: { label: 'Amount', help: '', example: '1250' },
  currency: { label: 'Currency', help: '' },
  due_date: { label: 'Due date', help: '' },
  paid_date: { label: 'Up to', help: 'Default: today.' },
  rate_type: { label: 'What you charge', help: '' },
  rate: {
    label: 'Interest per month, %',
    help: 'As agreed in your terms. Default: 1.5% a month.',
    example: '1.5',
  },
  grace_days: { label: 'Grace days', help: 'Days after the due date before a fee applies.' },
  accrual: { label: 'How it is added', help: '' },
  amount_paid: {
    label: 'Already paid',
    help: 'Use this if it was paid on time, or if you do not know the day.',
  },
  payments: {
    label: 'Part payments',
    help: 'What your client paid, and when. For example: 250 on 2026-09-20; 100 on 2026-10-03.',
  },
  more_invoices: {
    label: 'Further invoices',
    help: 'For the same client. For example: 500 due 2026-09-15 as INV-8; 90 due 2026-10-01.',
  },
  min_fee: { label: 'Minimum fee', help: '' },
  max_fee: { label: 'Maximum fee', help: '' },
  jurisdiction: {
    label: 'Interest by law',
    help: 'Only between businesses: in pounds in the UK, in euros in the EU.',
  },
  reference_rate: {
    label: 'Central bank’s rate',
    help: 'Default: the rate that we have on file.',
    unit: '%',
  },
  tone: { label: 'Tone', help: '' },
  claim: { label: 'The letter asks for', help: 'In addition to the invoice amount.' },
  client_is_consumer: { label: 'My client is a consumer', help: '' },
  client_name: { label: 'Your client', help: '', example: 'Acme Ltd' },
  business_name: { label: 'Your business', help: '', example: 'Green Gardens' },
  invoice_number: { label: 'Invoice number', help: '', example: 'INV-1042' },
  invoice_date: { label: 'Invoice date', help: '' },
  purchase_order: { label: 'Your client’s order number', help: '' },
  paid_on: {
    label: 'Paid in full on',
    help: 'If it was paid late. The letter then asks only for the interest or fee.',
  },
  earlier_reminders: {
    label: 'Earlier reminders',
    help: 'Dates of the reminders, such as 2026-10-01, 2026-10-15.',
  },
  next_step: { label: 'Next step', help: 'What you will do if you are not paid.' },
  suspend_what: { label: 'What you will suspend', help: 'For example, your hosting.' },
  contact: { label: 'Contact', help: 'Name and phone number for questions.' },
  signer: { label: 'Signed by', help: '' },
  payment_details: {
    label: 'How to pay you',
    help: 'For example, your bank details. Default: as on the invoice.',
    isLong: true,
  },
  pay_within_days: { label: 'Days to pay', help: 'Counted from today. Default: 7.' },
  items: { label: 'Items', help: '' },
  'items.description': { label: 'Item', help: '' },
  'items.quantity': { label: 'Quantity', help: '' },
  'items.unit_price': { label: 'Price', help: '' },
  'items.unit': { label: 'Unit', help: '', example: 'hour' },
  'items.discount_percent': { label: 'Discount, %', help: '', unit: '%' },
  'items.tax_percent': { label: 'Other tax, %', help: '', unit: '%' },
  'items.tier': { label: 'From option', help: '' },
  'items.markup': { label: 'Mark up', help: '' },
  tax_percent: { label: 'Tax', help: 'For example, VAT, GST or sales tax.', unit: '%' },
  discount_percent: { label: 'Discount', help: '', unit: '%' },
  discount_amount: { label: 'Discount amount', help: 'Instead of a percentage.' },
  deposit_percent: { label: 'Deposit', help: 'Percentage of the total.', unit: '%' },
  deposit_amount: { label: 'Deposit amount', help: 'Instead of a percentage.' },
  prices_include_tax: { label: 'My prices include the tax', help: '' },
  second_tax_percent: { label: 'Second tax', help: '', unit: '%' },
  second_tax_name: { label: 'Second tax name', help: '', example: 'PST' },
  round_total_to: { label: 'Round the total to', help: 'For example, 1 or 0.05.' },
  recommended: { label: 'Recommended option', help: '' },
  job: { label: 'The job', help: '', example: 'Garden at 4 Park Row' },
  quote_number: { label: 'Quote number', help: '', example: 'Q-118' },
  start: { label: 'Start date', help: '', example: 'First week of June' },
  payment_stages: { label: 'Payment schedule', help: 'Separate entries with semicolons.' },
  exclusions: { label: 'Not included', help: 'Separate entries with semicolons.' },
  warranty: { label: 'Warranty', help: 'In one sentence.' },
  extra_terms: { label: 'Your own terms', help: 'Separate entries with semicolons.' },
  price_per: { label: 'Recurring work', help: 'All prices are for this period.' },
  valid_days: { label: 'Valid for (days)', help: 'Counted from today.' },
  better_markup_percent: {
    label: 'Markup of the middle option',
    help: 'Added to the price of each line and of each addition.',
    example: '0',
    unit: '%',
  },
  best_markup_percent: {
    label: 'Markup of the top option',
    help: 'Default: twice the markup of the middle option.',
    unit: '%',
  },
  good_name: { label: 'First option name', help: '', example: 'Essential' },
  better_name: { label: 'Middle option name', help: '', example: 'Enhanced' },
  best_name: { label: 'Top option name', help: '', example: 'Premium' },
  better_adds: { label: 'What the middle option adds', help: 'Separate entries with semicolons.' },
  best_adds: { label: 'What the top option adds', help: 'Separate entries with semicolons.' },
  round_unit_to: { label: 'Round marked-up prices to', help: 'For example, 0.05, 1 or 5.' },
  business_type: { label: 'Type of business', help: 'The type closest to yours.' },
  needs: {
    label: 'What else you need',
    help: 'In addition to what your type of business always needs. Separate entries with commas, for example: backup, e-signature.',
  },
  team_size: { label: 'People who use the tools', help: '' },
  free_only: {
    label: 'Only tools without a subscription',
    help: 'Also without other fixed costs, such as a domain. A tool that takes payments may still keep a share of each sale.',
  },
  country: { label: 'Country', help: '' },
  trade: {
    label: 'Your trade',
    help: 'In your own words, for example: nail salon, food truck. Tools for your trade come first.',
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
  firm: 'Firm: a second reminder',
  final: 'Final: the last reminder',
  simple: 'Day by day',
  month_begun: 'For each month or part of a month',
  compound: 'Compound (interest on interest)',
  suspend_work: 'Stop work until it is paid',
  collection: 'Pass it to a collection agency',
  court: 'Go to court',
  agreed: 'The late fee in my terms',
  statutory: 'Interest by law instead',
  reserve: 'No fee yet, but reserve the right to it',
  none: 'Only the invoice amount',
  'recommended.good': 'Essential',
  'recommended.better': 'Enhanced',
  'recommended.best': 'Premium',
  'recommended.none': 'None of them',
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

/** The id of the element with a submitted form's faults or result. The address of the form ends with it. */
export const SENT = 'sent';
