import { describe, expect, it } from 'vitest';
import { html, tally } from '../../../../test/pages/listing-samples.ts';

describe('the view of a listing', () => {
  it('shows its facts without a visible heading, but with one for screen readers', () => {
    expect(html(tally)).toContain('<table aria-label="Facts"><tbody>');
  });

  it('marks links to vendors, but not links to our pages, as no recommendation for search engines', () => {
    expect(html(tally)).toContain(
      '<a href="https://help.tally.example/free" rel="noopener nofollow">help.tally.example</a>',
    );
    expect(html(tally)).toContain('<a href="/v1/tools/tally-books">');
  });
});
