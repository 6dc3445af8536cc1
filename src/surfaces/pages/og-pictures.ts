/** The pictures of link previews (Open Graph), each with its description. */
export const OG_PICTURES = {
  home: 'An invoice that was due on 4 November: £1,260.63 to be paid on 21 November, and the fee growing by the day',
  'late-fee': 'The late fee of an invoice as a line that grows by the day: £10.63 after 17 days',
  quote: 'A quote with two lines, discount, tax and total: $1,223.77',
  letter: 'A reminder letter for an unpaid invoice, with the late fee calculated',
  options: 'One list of lines as three options side by side, each with its total',
  report: 'A business with its needs around it, and a free tool next to each need',
  tools: 'A list of free software, showing what is free and when each tool was checked',
  developers:
    'A request, the 402 response with the price, and the same request with a payment and its answer',
} as const;

export type OgPicture = keyof typeof OG_PICTURES;

/** The picture of each operation's page. */
export const OG_OF: Readonly<Record<string, OgPicture>> = {
  late_fee: 'late-fee',
  quote_totals: 'quote',
  late_fee_notice: 'letter',
  quote_pack: 'options',
  small_business_stack_report: 'report',
};

export const ogAddress = (picture: OgPicture): string =>
  picture === 'home' ? '/og.png' : `/og/${picture}.png`;
