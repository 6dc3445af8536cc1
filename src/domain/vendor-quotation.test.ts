import { expect, test } from 'vitest';
import { displayQuote } from './vendor-quotation.ts';

test.each([
  ['a total of\n5 GB of file storage.', 'a total of 5 GB of file storage.'],
  ['The [Free plan](https://plane.so/pricing) works when', 'The Free plan works when'],
  ['the [cloud hosted free version of OpenSign]', 'the cloud hosted free version of OpenSign'],
  ['Discourse is **100% free** and **open source**.', 'Discourse is 100% free and open source.'],
  ['generous limits:\n\n- **Free plan**: Up to 100 items', 'generous limits: Free plan: Up to 100 items'],
  [
    'under `[BSD](x)` *today*, not snake_case_names or 2 * 3 * 4',
    'under BSD today, not snake_case_names or 2 * 3 * 4',
  ],
  ['"name": "Free",\n    "subscriber_count": 100,', '"name": "Free", "subscriber_count": 100,'],
  [
    'Square Free\n  price_text: $0/mo. per location\n  price: 0\n  unit: per location\n  included_quota: POS app',
    'Square Free $0/mo. per location … POS app',
  ],
  [
    'Pro Standard\n    price: 19\n    currency: USD\n    period: year',
    'Pro Standard, price: 19, currency: USD, period: year',
  ],
  ['It is free.', 'It is free.'],
])('%j is shown as %j', (raw, shown) => {
  expect(displayQuote(raw)).toBe(shown);
});
