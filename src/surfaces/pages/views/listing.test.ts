import { describe, expect, it } from 'vitest';
import { BASE_URL, testApp } from '../../../../test/support/app.ts';
import { displayQuote } from '../../../domain/vendor-quotation.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { pageHtml } from '../html.tsx';
import { pageMarkdown } from '../markdown.ts';
import { listingView } from './listing.ts';

const tally: AnswerOf<'tool'> = {
  id: 'tally-books',
  name: 'Tally Books',
  vendor: 'Tally Ltd',
  homepage: 'https://www.tally.example/books/',
  categories: ['invoicing'],
  pricing: 'freemium',
  hosting: ['saas', 'mobile'],
  requires: ['online_shop'],
  free_limits: '3 invoices a month',
  limits_by_need: {},
  then: { text: 'USD 9 a month', source_url: 'https://help.tally.example/prices' },
  cost: { text: '1 % of each sale', on: 'sales' },
  team_size_max: 1,
  seats_unlimited: false,
  good_for: ['trades', 'online_store'],
  regions: ['GB', 'EU'],
  licence: 'MIT',
  caveats: ['The export is paid for.'],
  changed_on: '2026-11-20',
  proof: 'strong',
  check: {
    quote: 'Send up to 3 invoices\na month for free.',
    language: 'en',
    quote_translation: null,
    transcribed_by: null,
    source_url: 'https://help.tally.example/free',
    checked_on: '2026-11-21',
    method: 'vendor_page',
    source_dated: '2026-03-02',
    status: 'found',
  },
};

const bare: AnswerOf<'tool'> = {
  ...tally,
  pricing: 'free',
  requires: [],
  free_limits: null,
  then: null,
  cost: null,
  team_size_max: null,
  regions: null,
  licence: null,
  caveats: [],
  check: {
    ...tally.check,
    quote: 'Rechnungen schreiben, kostenlos',
    language: 'de',
    quote_translation: { text: 'Write invoices, free of charge', language: 'en' },
    method: 'stored_copy',
    source_dated: null,
  },
  proof: 'fair',
};

const page = (blocks: readonly Block[]) => ({ path: '/tools/x', title: 'T', description: 'D', blocks });
const markdown = (body: AnswerOf<'tool'>) => pageMarkdown(page(listingView(body)), BASE_URL);
const html = (body: AnswerOf<'tool'>) =>
  pageHtml(page(listingView(body)), { baseUrl: BASE_URL, operations: [], contactEmail: null }).replace(
    /^.*<main>|<\/main>.*$/gs,
    '',
  );

describe('a listing', () => {
  it('says what is known, then shows the words, what to know first, and where more is', () => {
    expect(markdown(tally)).toBe(`# T

> D

|  |  |
| --- | --- |
| Price | Free plan of a paid product |
| What is free | 3 invoices a month |
| After that | USD 9 a month ([source](https://help.tally.example/prices)) |
| Cannot be avoided | 1 % of each sale |
| People in the free use | Up to 1 person |
| Where it works | Only in the UK and the EU |
| Runs free | Online at the vendor and on a phone or tablet |
| Needs first | An online shop |
| Licence | MIT |
| Good for | Trades and online stores |
| Vendor | Tally Ltd |
| Website | [tally.example/books](https://www.tally.example/books/) |
| Last changed here | 20 November 2026 |

## In the vendor’s words

> “Send up to 3 invoices a month for free.”
>
> Vendor text of March 2026; proof: strong. Read on 21 November 2026 at [help.tally.example](https://help.tally.example/free), on a page of the vendor’s that states its own date.

## Know before you rely on it

- The export is paid for.

## More

- [This listing as JSON](https://calc.example/v1/tools/tally-books)
- [How listings are checked](https://calc.example/tools/how-checked)
- [Report an error](https://calc.example/tools/how-checked#errors)
`);
  });

  it('says what the vendor’s text does not say, and shows no empty list', () => {
    const [facts, , quotation, more] = listingView(bare);
    expect(facts).toEqual({
      table: {
        head: ['', ''],
        rows: [
          ['Price', 'Free, without any subscription'],
          ['What is free', 'The vendor’s text does not say, which is not the same as no limit'],
          ['People in the free use', 'The vendor’s text does not say, which is not the same as no limit'],
          ['Where it works', 'No limit to some countries is known'],
          ['Runs free', 'Online at the vendor and on a phone or tablet'],
          ['Licence', 'None listed'],
          ['Good for', 'Trades and online stores'],
          ['Vendor', 'Tally Ltd'],
          ['Website', [{ link: 'tally.example/books', href: 'https://www.tally.example/books/' }]],
          ['Last changed here', '20 November 2026'],
        ],
      },
    });
    expect(quotation).toEqual({
      quotation: '“Rechnungen schreiben, kostenlos”',
      language: 'de',
      source: [
        'Vendor text, age unknown; proof: fair. ',
        'Read on 21 November 2026 at ',
        { link: 'help.tally.example', href: 'https://help.tally.example/free' },
        ', in a stored copy of the vendor’s page',
        '. The words are in German. Our translation: “Write invoices, free of charge”',
      ],
    });
    expect(more).toEqual({ heading: 'More', id: 'more' });
  });

  it('takes words that were read live to be of that day', () => {
    const live = { ...tally, check: { ...tally.check, method: 'live_page', source_dated: null } } as const;
    expect(listingView(live)[2]).toMatchObject({
      source: [
        'Vendor text of November 2026; proof: strong. ',
        'Read on 21 November 2026 at ',
        {},
        ', on the vendor’s page itself',
        '.',
      ],
    });
  });

  it('names who wrote the words down, with the day', () => {
    const transcribed_by = {
      name: 'A Register',
      url: 'https://register.example/tally',
      read_on: '2026-08-13',
    };
    const check = { ...tally.check, method: 'transcription', transcribed_by, source_dated: null } as const;
    expect(listingView({ ...tally, check, proof: 'fair' })[2]).toMatchObject({
      source: [
        'Vendor text of August 2026; proof: fair. ',
        'From ',
        { link: 'help.tally.example' },
        ', as ',
        { link: 'A Register', href: 'https://register.example/tally' },
        ' wrote it down on 13 August 2026; we read it there on 21 November 2026',
        '.',
      ],
    });
  });

  it('says where there is no limit of people', () => {
    const body = { ...tally, team_size_max: null, seats_unlimited: true };
    expect(markdown(body)).toContain('\n| People in the free use | No limit |\n');
  });

  it.each([
    ['open_source', 'Open source: the edition that you run yourself has an open-source licence'],
    ['free', 'Free, without any subscription'],
    ['freemium', 'Free plan of a paid product'],
  ] as const)('says in words what %s means', (pricing, words) => {
    expect(markdown({ ...tally, pricing })).toContain(`\n| Price | ${words} |\n`);
  });

  it('shows its facts without a head, which is named for who cannot see it', () => {
    expect(html(tally)).toContain('<table aria-label="Facts"><tbody>');
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
  const hostile: AnswerOf<'tool'> = {
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
  const { tools } = (await answer.json()) as { tools: AnswerOf<'tool'>[] };

  it('shows its words, where they stand and the day they were read', () => {
    expect(tools.length).toBeGreaterThan(200);
    for (const tool of tools) {
      const { check, caveats, id } = tool;
      const text = html(tool).replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      expect(text, id).toContain(`“${displayQuote(check.quote)}”`);
      expect(text, id).toContain(`href="${new URL(check.source_url).href}"`);
      expect(text, id).toMatch(
        /Vendor text(?: of \w+ \d{4}|, age unknown); proof: (?:strong|fair|thin)\. (?:Read on|From) /,
      );
      for (const caveat of caveats) expect(text, id).toContain(`<li>${caveat}</li>`);
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
