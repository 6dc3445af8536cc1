import { describe, expect, test } from 'vitest';
import {
  candidateSentences,
  holdsQuote,
  nearestText,
  pageTexts,
  plainWords,
} from '../../tools/directory/refresh-text.ts';

describe('the same words', () => {
  test.each([
    ['Zoom’s “free” plan – 40 minutes', 'Zoom\'s "free"  plan - 40\nminutes'],
    ['The [Free plan](https://plane.so/pricing) works', 'The Free plan works'],
    ['limits:\n\n- **Free plan**: 100 items', 'limits:\n * Free plan: 100 items'],
    ['5\u00A0GB\u200B of storage', '5 GB of storage'],
    ['`BSD 2-Clause`', 'BSD 2‑Clause'],
  ])('are found in %j and in %j', (one, other) => {
    expect(plainWords(one)).toBe(plainWords(other));
  });

  test('are different if a number or a name differs', () => {
    expect(holdsQuote('Free for 5 users, always.', 'Free for 50 users')).toBe(false);
    expect(holdsQuote('Rate 22% a month', '2.2% a month')).toBe(false);
  });

  test('are compared in linear time, even with endless marks', () => {
    // Searching the rest of the text for the end of each link takes minutes.
    const page = '](_`**'.repeat(100_000);
    expect(holdsQuote(page, 'The plan is free for ever.')).toBe(false);
  });
});

test('an HTML page is read without its scripts, pictures and link targets', () => {
  const html =
    '<h2>Plans</h2><script>var free = 1</script><p>It is <a href="/f">free</a><img src=x alt=y>.</p>';
  const [text] = pageTexts('text/html', Buffer.from(html));
  expect(text).toBe('Plans\n\nIt is free.');
});

test('the nearest text is the sentence with the most common words, or nothing if no sentence is similar', () => {
  const page = 'We have plans. The free plan is for up to 3 users. Paid plans start at $9.';
  expect(nearestText(page, 'The free plan is for up to 5 users.')).toBe(
    'The free plan is for up to 3 users.',
  );
  expect(nearestText('Page not found, we are sorry.', 'The free plan is for up to 5 users.')).toBeNull();
});

test('candidate sentences are about a free plan, not about trials, and those with numbers come first', () => {
  const page = [
    'Start your 14-day free trial today.',
    'The Starter plan is free forever.',
    'Free for up to 3 users and 10 projects.',
    'Feel free to write to us at any hour.',
    'Free.',
  ].join('\n\n');
  expect(candidateSentences(page, 5)).toEqual([
    'Free for up to 3 users and 10 projects.',
    'The Starter plan is free forever.',
  ]);
});
