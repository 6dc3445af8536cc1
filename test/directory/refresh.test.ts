import { expect, test } from 'vitest';
import { summary } from '../../tools/directory/refresh.ts';

test('the summary names missing quotes with the nearest words, and then the totals', () => {
  const lines = summary({
    rows: [
      { id: 'kimai', verdict: { kind: 'found', sourceUrl: 'https://example.org' } },
      {
        id: 'slack',
        verdict: { kind: 'failed', reason: 'the quote is not on the page', nearest: '60 days' },
      },
      { id: 'zoom', verdict: { kind: 'unknown', reason: 'the vendor answered with status 503' } },
    ],
    leads: [{ id: 'stripe', sentences: ['No setup fees.'], note: '' }],
    doneBefore: 2,
  });
  expect(lines).toEqual([
    'failed   slack                            the quote is not on the page',
    '         nearest: 60 days',
    'unknown  zoom                             the vendor answered with status 503',
    'lead     stripe',
    '         No setup fees.',
    '1 found, 1 failed, 1 not reached, 2 done earlier today, 1 lead read.',
  ]);
});
