import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import { WHOLE_PERCENT } from './quote.ts';
import type { PackTier } from './quote-pack.ts';

export type Term = { readonly title: string; readonly text: string };

/**
 * Nine standard terms with the figures of this pack. No late fee, warranty period or governing law: the request
 * says nothing about them.
 */
export function packTerms(tiers: readonly [PackTier, PackTier, PackTier]): Term[] {
  const [{ quote }] = tiers;
  const payment = paymentOf(tiers);
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
    { title: 'Taxes', text: taxText(tiers) },
    {
      title: 'Cancellation and disputes',
      text: 'If you cancel after acceptance, work already done and materials already ordered remain payable. Please raise any concern promptly in writing so that it can be put right.',
    },
  ];
}

type Payment = 'nothing' | 'on_completion' | 'deposit' | 'all_in_advance';

function paymentOf([{ quote }, , best]: readonly [PackTier, PackTier, PackTier]): Payment {
  const { depositPercent } = quote.request;
  // The markups only raise a total, so that the last option at 0 means all of them.
  if (best.quote.total === 0n) return 'nothing';
  if (depositPercent === 0n) return 'on_completion';
  return depositPercent === WHOLE_PERCENT ? 'all_in_advance' : 'deposit';
}

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

function depositText(
  [good, better, best]: readonly [PackTier, PackTier, PackTier],
  payment: Payment,
): string {
  const { depositPercent, currency } = good.quote.request;
  if (payment === 'nothing' || payment === 'on_completion') return 'No deposit is required.';
  const each = [good, better, best].map(
    ({ label, quote }) => `${moneyText(quote.deposit, currency)} for ${label}`,
  );
  const sums = `${each[0]}, ${each[1]} or ${each[2]}`;
  return payment === 'all_in_advance'
    ? `The whole of the chosen total is payable on acceptance: ${sums}.`
    : `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${sums}. It counts towards the total.`;
}

function taxText([{ quote }]: readonly [PackTier, PackTier, PackTier]): string {
  const { taxPercent } = quote.request;
  if (taxPercent === 0n) return 'No tax is included. Any tax that the law requires is added.';
  return `Each total includes tax at ${microsText(taxPercent)}%. If the law changes the rate before invoicing, the tax changes with it.`;
}
