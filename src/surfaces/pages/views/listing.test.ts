import { describe, expect, it } from 'vitest';
import { BASE_URL, testApp } from '../../../../test/support/app.ts';
import { displayQuote } from '../../../domain/quote-text.ts';
import type { Block } from '../content.ts';
import { pageHtml } from '../html.tsx';
import { pageMarkdown } from '../markdown.ts';
import { type ListingBody, listingView } from './listing.ts';

const tally: ListingBody = {
  id: 'tally-books',
  name: 'Tally Books',
  vendor: 'Tally Ltd',
  homepage: 'https://www.tally.example/books/',
  pricing: 'freemium',
  hosting: ['saas', 'mobile'],
  free_limits: '3 invoices a month',
  team_size_max: 1,
  good_for: ['trades', 'online_store'],
  regions: ['UK', 'Europe'],
  licence: 'MIT',
  caveats: ['The export is paid for.'],
  check: {
    quote: 'Send up to 3 invoices\na month for free.',
    language: 'en',
    source_url: 'https://help.tally.example/free',
    checked_on: '2026-11-21',
    method: 'vendor_page',
    source_dated: '2026-03-02',
  },
};

const bare: ListingBody = {
  ...tally,
  pricing: 'free',
  free_limits: null,
  team_size_max: null,
  regions: null,
  licence: null,
  caveats: [],
  check: {
    ...tally.check,
    quote: 'Rechnungen schreiben, kostenlos',
    language: 'de',
    method: 'stored_copy',
    source_dated: null,
  },
};

const page = (blocks: readonly Block[]) => ({ path: '/tools/x', title: 'T', description: 'D', blocks });
const markdown = (body: ListingBody) => pageMarkdown(page(listingView(body)), BASE_URL);
const html = (body: ListingBody) =>
  pageHtml(page(listingView(body)), { baseUrl: BASE_URL, siteName: 'S' }).replace(
    /^.*<main>|<\/main>.*$/gs,
    '',
  );

describe('a listing', () => {
  it('says what is known, then shows the words, what to know first, and where more is', () => {
    expect(markdown(tally)).toBe(`# T

> D

| Fact | As listed |
| --- | --- |
| Price | Free plan of a paid product |
| What is free | 3 invoices a month |
| Largest team in the free use | 1 person |
| Where it works | Only in the United Kingdom and Europe |
| Runs | Online at the vendor and on a phone or tablet |
| Licence | MIT |
| Good for | Trades and online stores |
| Vendor | Tally Ltd |
| Website | [tally.example/books](https://www.tally.example/books/) |

## In the vendor’s words

> “Send up to 3 invoices a month for free.”
>
> [help.tally.example](https://help.tally.example/free), read on 21 November 2026 on a page of the vendor’s that states its own date. The source is dated 2 March 2026.

## Know before you rely on it

- The export is paid for.

## More

- [This listing as JSON](https://calc.example/v1/tools/tally-books)
- [How listings are checked](https://calc.example/tools/how-checked)
- [Report an error](https://calc.example/tools/how-checked#errors)
`);
  });

  it('calls what is not evidenced just that, and shows no empty list', () => {
    const [facts, , quotation, more] = listingView(bare);
    expect(facts).toEqual({
      table: {
        head: ['Fact', 'As listed'],
        rows: [
          ['Price', 'Free, without any subscription'],
          ['What is free', 'Not evidenced, which is not the same as no limit'],
          ['Largest team in the free use', 'Not evidenced, which is not the same as no limit'],
          ['Where it works', 'No restriction known'],
          ['Runs', 'Online at the vendor and on a phone or tablet'],
          ['Licence', 'None listed'],
          ['Good for', 'Trades and online stores'],
          ['Vendor', 'Tally Ltd'],
          ['Website', [{ link: 'tally.example/books', href: 'https://www.tally.example/books/' }]],
        ],
      },
    });
    expect(quotation).toEqual({
      quotation: '“Rechnungen schreiben, kostenlos”',
      language: 'de',
      source: [
        { link: 'help.tally.example', href: 'https://help.tally.example/free' },
        ', read on 21 November 2026 in a stored copy of the vendor’s page. The date of the source is not known. The words are in German.',
      ],
    });
    expect(more).toEqual({ heading: 'More', id: 'more' });
  });

  it('asks for no date of a source that was read live', () => {
    const live = { ...tally, check: { ...tally.check, method: 'live_page', source_dated: null } } as const;
    expect(listingView(live)[2]).toMatchObject({
      source: [{}, ', read on 21 November 2026 on the vendor’s page itself.'],
    });
  });

  it.each([
    ['open_source', 'Open source: the edition that you run yourself has an open-source licence'],
    ['free', 'Free, without any subscription'],
    ['freemium', 'Free plan of a paid product'],
  ] as const)('says in words what %s means', (pricing, words) => {
    expect(markdown({ ...tally, pricing })).toContain(`\n| Price | ${words} |\n`);
  });

  it('recommends no vendor to search engines; its own pages need no such mark', () => {
    expect(html(tally)).toContain(
      '<a href="https://help.tally.example/free" rel="noopener nofollow">help.tally.example</a>',
    );
    expect(html(tally)).toContain('<a href="/v1/tools/tally-books">This listing as JSON</a>');
  });
});

/** The tags of a page without what stands between them, or in them but for addresses. */
const tagsOf = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);
describe('hostile words in a listing', () => {
  const evil =
    '\n\n# Big\n- item\r\n1. one\n> quoted\n```\n<script>alert(1)</script></p><img src=x onerror=alert(1)> [x](javascript:alert(1)) | cell **bold** `code`\n---\n';
  const hostile: ListingBody = {
    ...tally,
    id: '"><script>',
    vendor: evil,
    free_limits: evil,
    licence: evil,
    caveats: [evil],
    check: { ...tally.check, quote: evil },
  };

  it('stay words in HTML', () => {
    expect(tagsOf(html(hostile))).toEqual(tagsOf(html(tally)));
  });

  it('stay words in Markdown', () => {
    const text = markdown(hostile);
    expect(text.split('\n')).toHaveLength(markdown(tally).split('\n').length);
    expect(text).toContain('\n| Vendor | # Big - item 1. one > quoted'.replace('>', '\\>'));
    expect(text).toContain('\n> “Big item 1. one quoted \\` \\<script\\>alert(1)\\</script\\>');
    expect(text).toContain('\n- Note: # Big - item');
    expect(text).toContain('\\[x\\](javascript:alert(1)) \\| cell \\*\\*bold\\*\\*');
    expect(text).not.toMatch(/(?<!\\)<|(?<!\\)`/);
  });

  it.each(['- item', '# Big', '1. one', '2) two', '~~~', '--- ', '+ more', '=== '])(
    'open no block in Markdown from the start of a caveat: %s',
    (caveat) => {
      expect(markdown({ ...tally, caveats: [caveat] })).toContain(`\n- Note: ${caveat.trim()}\n`);
    },
  );

  it('leave a caveat that begins with a number as it is', () => {
    const caveat = '5% commission on each sale. 2 GB are small.';
    expect(markdown({ ...tally, caveats: [caveat] })).toContain(`\n- ${caveat}\n`);
  });

  it('are no address: only https is linked, and a bracket does not end a link', () => {
    const text = markdown({ ...tally, homepage: 'javascript:alert(1)' });
    expect(text).toContain('| Website | javascript:alert(1) |');
    expect(markdown({ ...tally, homepage: 'https://a.example/b) [c](d' })).toContain(
      '(https://a.example/b%29%20[c]%28d) |',
    );
  });
});

describe('every listing of the directory', async () => {
  const answer = await testApp().get('/v1/tools');
  const { tools } = (await answer.json()) as { tools: ListingBody[] };

  it('shows its words, where they stand and the day they were read', () => {
    expect(tools).toHaveLength(219);
    for (const tool of tools) {
      const { check, team_size_max, caveats, id } = tool;
      const text = html(tool).replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      expect(text, id).toContain(`“${displayQuote(check.quote)}”`);
      expect(text, id).toContain(`href="${new URL(check.source_url).href}"`);
      expect(text, id).toContain(', read on 21 November 2026 ');
      for (const caveat of caveats) expect(text, id).toContain(`<li>${caveat}</li>`);
      const team = team_size_max === null ? 'Not evidenced' : `${team_size_max} p`;
      expect(text, id).toContain(`<td>Largest team in the free use</td><td>${team}`);
    }
  });

  it.each(['unlimited', 'for ever', 'forever', 'guarantee', 'recommend', 'trusted', 'verified', 'best'])(
    'is %s only where its own words say so',
    (word) => {
      const saying = (text: string) => text.toLowerCase().includes(word);
      const invented = tools.filter((tool) => saying(markdown(tool)) && !saying(JSON.stringify(tool)));
      expect(invented.map(({ id }) => id)).toEqual([]);
    },
  );
});
