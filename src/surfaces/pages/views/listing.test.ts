import { describe, expect, it } from 'vitest';
import { html, tally } from '../../../../test/pages/listing-samples.ts';

describe('the view of a listing', () => {
  it('shows its facts without a visible heading, but with one for screen readers', () => {
    expect(html(tally)).toContain('<table aria-label="Facts"><tbody>');
  });

  it('tells search engines that links to vendors, unlike links to our pages, are not recommendations', () => {
    expect(html(tally)).toContain(
      '<a href="https://help.tally.example/free" rel="noopener nofollow">help.tally.example</a>',
    );
    expect(html(tally)).toContain('<a href="/v1/tools/tally-books">');
  });
});
