import { describe, expect, it } from 'vitest';
import { html, markdown, tally } from '../../../../test/pages/listing-samples.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { listingView } from './listing.ts';

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
