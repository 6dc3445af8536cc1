import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import type { PackTier } from './quote-pack.ts';

export type Term = { readonly title: string; readonly text: string };

/**
 * Nine standard terms with the figures of this pack. No late fee, warranty period or governing law: the request
 * says nothing about them.
 */
export function packTerms(tiers: readonly [PackTier, PackTier, PackTier]): Term[] {
  const [{ quote }] = tiers;
  const { depositPercent } = quote.request;
  return [
    {
      title: 'Validity',
      text: `These prices are valid through ${longDayText(quote.validUntil)}. After that day they may change.`,
    },
    {
      title: 'Acceptance',
      text: 'Choose one option and accept it in writing, by email or signature. The other options then lapse.',
    },
    { title: 'Deposit', text: depositText(tiers) },
    {
      title: 'Balance',
      text: `${depositPercent === 0n ? 'The total' : 'The rest of the total'} is due on completion, unless we agree otherwise in writing.`,
    },
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
      text: `Dates are agreed after acceptance${depositPercent === 0n ? '' : ' and receipt of the deposit'}. Either side tells the other promptly if a date has to move.`,
    },
    { title: 'Taxes', text: taxText(tiers) },
    {
      title: 'Cancellation and disputes',
      text: 'If you cancel after acceptance, work already done and materials already ordered remain payable. Please raise any concern promptly in writing so that it can be put right.',
    },
  ];
}

function depositText([good, better, best]: readonly [PackTier, PackTier, PackTier]): string {
  const { depositPercent, currency } = good.quote.request;
  if (depositPercent === 0n) return 'No deposit is required.';
  const each = [good, better, best].map(
    ({ label, quote }) => `${moneyText(quote.deposit, currency)} for ${label}`,
  );
  return `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${each[0]}, ${each[1]} or ${each[2]}. It counts towards the total.`;
}

function taxText([{ quote }]: readonly [PackTier, PackTier, PackTier]): string {
  const { taxPercent } = quote.request;
  if (taxPercent === 0n) return 'No tax is included. Any tax that the law requires is added.';
  return `Each total includes tax at ${microsText(taxPercent)}%. If the law changes the rate before invoicing, the tax changes with it.`;
}
