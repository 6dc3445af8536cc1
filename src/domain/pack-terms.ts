import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import type { Tiers } from './pack-request.ts';
import { discountText, type Payment, paymentOf, taxRatesText } from './pack-texts.ts';

export type Term = { readonly title: string; readonly text: string };

/**
 * Nine standard terms with the figures of this pack, and one on a discount. No late fee, warranty period or governing law: the request
 * says nothing about them.
 */
export function packTerms(tiers: Tiers): Term[] {
  const [{ quote }] = tiers;
  const payment = paymentOf(tiers);
  const discount = payment === 'nothing' ? null : discountText(quote);
  return [
    {
      title: 'Validity',
      text: `These prices are valid through ${longDayText(quote.validUntil)}. After that day they may change.`,
    },
    {
      title: 'Acceptance',
      text: 'Choose one option and accept it in writing, by email or signature. The other options then lapse.',
    },
    { title: 'Deposit', text: depositText(tiers, payment) },
    { title: 'Balance', text: BALANCE[payment] },
    {
      title: 'Scope',
      text: 'The price covers the items and inclusions listed in the chosen option, and nothing else.',
    },
    {
      title: 'Changes',
      text: 'Extra or different work is described, priced and approved in writing before it starts.',
    },
    {
      title: 'Schedule',
      text: `Dates are agreed after acceptance${AFTER_RECEIPT[payment]}. Either side tells the other promptly if a date has to move.`,
    },
    ...(discount === null
      ? []
      : [{ title: 'Discount', text: `Each total includes ${discount}${beforeTax(tiers)}.` }]),
    { title: 'Taxes', text: taxText(tiers, payment) },
    {
      title: 'Cancellation and disputes',
      text: 'If you cancel after acceptance, work already done and materials already ordered remain payable. Rights that the law gives you, for example to cancel within a set time, are not affected. Please raise any concern promptly in writing so that it can be put right.',
    },
  ];
}

/** True of prices that include tax as well. */
const beforeTax = (tiers: Tiers): string =>
  taxRatesText(tiers) === null ? '' : ', taken off before tax is worked out';

const BALANCE: Readonly<Record<Payment, string>> = {
  nothing: 'The total of each option is 0, so nothing is due.',
  on_completion: 'The total is due on completion, unless we agree otherwise in writing.',
  deposit: 'The rest of the total is due on completion, unless we agree otherwise in writing.',
  all_in_advance: 'Nothing more is due on completion: the whole total is paid on acceptance.',
};

const AFTER_RECEIPT: Readonly<Record<Payment, string>> = {
  nothing: '',
  on_completion: '',
  deposit: ' and receipt of the deposit',
  all_in_advance: ' and receipt of the payment',
};

function depositText(tiers: Tiers, payment: Payment): string {
  const [{ quote: good }] = tiers;
  const { depositPercent, depositAmount, currency } = good.request;
  if (payment === 'nothing' || payment === 'on_completion') return 'No deposit is required.';
  const each = tiers.map(({ label, quote }) => `${moneyText(quote.deposit, currency)} for ${label}`);
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyText(good.deposit, currency)} is payable on acceptance, whichever option you choose. It counts towards the total.`;
  const sums = `${each[0]}, ${each[1]} or ${each[2]}`;
  return payment === 'all_in_advance'
    ? `The whole of the chosen total is payable on acceptance: ${sums}.`
    : `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${sums}. It counts towards the total.`;
}

function taxText(tiers: Tiers, payment: Payment): string {
  if (payment === 'nothing') return 'The total of each option is 0, so no tax is due.';
  const rates = taxRatesText(tiers);
  if (rates === null) return 'No tax is included. It is added only where the law requires it.';
  return `Each total includes tax ${rates}. If the law changes a rate before invoicing, the tax changes with it.`;
}
