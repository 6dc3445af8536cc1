import { reckoning } from '../catalog/operation.ts';
import { quoteNotes } from '../domain/quote-notes.ts';
import { totalsBody, usedBody, validityBody } from './quote-body.ts';
import { quoteFaults, quoteFields, quoteItems, quoteOf } from './quote-fields.ts';
import { QUOTE_MEANT } from './quote-meant.ts';

/** Fields of the paid pack, so that one body serves both. */
const PACK_FIELDS = [
  'business_name',
  'better_markup_percent',
  'best_markup_percent',
  'good_name',
  'better_name',
  'best_name',
  'better_adds',
  'best_adds',
  'round_unit_to',
];

/** A quote from its lines to its totals, for the service and for the page. */
export const quoteReckoning = reckoning({
  input: { items: quoteItems, ...quoteFields },
  tolerates: PACK_FIELDS,
  meant: QUOTE_MEANT,
  check: quoteFaults,
  run: (input, context) => {
    const result = quoteOf(input, context);
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { value } = result;
    return {
      kind: 'answer',
      body: {
        currency: value.request.currency,
        ...totalsBody(value),
        ...usedBody(value),
        ...validityBody(value),
        ...quoteNotes(value),
      },
    };
  },
});
