import { describe, expect, it } from 'vitest';
import { html, markdown, tally } from '../../../../test/pages/listing-samples.ts';
import { inOrder } from '../../../../test/support/facts.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { listingView } from './listing.ts';

const bare: AnswerOf<'list_tools'>['tools'][number] = {
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
  it('shows the facts, then the quote, the caveats and further links', () => {
    const text = markdown(tally);
    const rows = [...text.matchAll(/^\| (\w[^|]*) \| (.*) \|$/gm)].map(([, label, value]) => [label, value]);
    expect(rows.map(([label]) => label)).toEqual([
      ...['Price', 'What is free', 'After that', 'You always pay', 'People on the free plan'],
      ...['Where it works', 'Runs free', 'Needs first', 'Licence', 'Good for', 'Vendor', 'Website'],
      'Last changed here',
    ]);
    const value = (label: string) => rows.find(([one]) => one === label)?.[1];
    expect(value('What is free')).toBe('3 invoices a month');
    expect(value('After that')).toBe(
      'USD 9 a month ([source](https://help.tally.example/prices), not dated)',
    );
    expect(value('You always pay')).toBe('1 % of each sale');
    expect(value('People on the free plan')).toContain('1');
    expect(value('Where it works')).toMatch(inOrder('UK', 'EU'));
    expect([value('Licence'), value('Vendor'), value('Last changed here')]).toEqual([
      'MIT',
      'Tally Ltd',
      '20 November 2026',
    ]);
    expect(value('Website')).toBe('[tally.example/books](https://www.tally.example/books/)');
    expect(text).toContain('\n> “Send up to 3 invoices a month for free.”\n>\n');
    expect(text).toMatch(
      inOrder('> ', 'March 2026', 'strong', '21 November 2026', '](https://help.tally.example/free)'),
    );
    expect(text).toContain('\n\n- The export is paid for.\n\n');
    expect(text.match(/^- \[.*\]\((.*)\)$/gm)?.map((line) => line.replace(/^.*\(|\)$/g, ''))).toEqual([
      'https://calc.example/v1/tools/tally-books',
      'https://calc.example/tools/how-checked',
      'https://calc.example/tools/how-checked#errors',
    ]);
  });

  it('names what the vendor’s text leaves open, and shows no empty list', () => {
    const [facts, , quotation, more] = listingView(bare);
    expect(facts).toEqual({
      table: {
        head: ['', ''],
        rows: [
          ['Price', expect.any(String)],
          ['What is free', expect.stringContaining('vendor')],
          ['People on the free plan', expect.stringContaining('vendor')],
          ['Where it works', expect.any(String)],
          ['Runs free', expect.stringContaining('phone')],
          ['Good for', expect.any(String)],
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
        expect.stringContaining('fair'),
        expect.stringContaining('21 November 2026'),
        { link: 'help.tally.example', href: 'https://help.tally.example/free' },
        expect.stringContaining('copy'),
        expect.stringMatching(inOrder('German', '“Write invoices, free of charge”')),
      ],
    });
    expect(more).toEqual({ heading: 'More', id: 'more' });
  });

  it('dates words that were read live to that day', () => {
    const live = { ...tally, check: { ...tally.check, method: 'live_page', source_dated: null } } as const;
    expect(listingView(live)[2]).toMatchObject({
      source: [
        expect.stringMatching(inOrder('November 2026', 'strong')),
        expect.stringContaining('21 November 2026'),
        {},
        expect.any(String),
        '.',
      ],
    });
  });

  it('names the transcriber of the words and the day', () => {
    const transcribed_by = {
      name: 'A Register',
      url: 'https://register.example/tally',
      read_on: '2026-08-13',
    };
    const check = { ...tally.check, method: 'transcription', transcribed_by, source_dated: null } as const;
    expect(listingView({ ...tally, check, proof: 'fair' })[2]).toMatchObject({
      source: [
        expect.stringMatching(inOrder('August 2026', 'fair')),
        expect.any(String),
        { link: 'help.tally.example' },
        expect.any(String),
        { link: 'A Register', href: 'https://register.example/tally' },
        expect.stringMatching(inOrder('13 August 2026', '21 November 2026')),
        '.',
      ],
    });
  });

  it('says if the number of people is unlimited', () => {
    const body = { ...tally, team_size_max: null, seats_unlimited: true };
    expect(markdown(body)).toMatch(/\n\| People on the free plan \| .*\bno limit\b/i);
  });

  it('explains each kind of price in its own words', () => {
    const prices = (['open_source', 'free', 'freemium'] as const).map(
      (pricing) => /\n\| Price \| (.*) \|\n/.exec(markdown({ ...tally, pricing }))?.[1],
    );
    expect(new Set(prices).size).toBe(3);
    for (const words of prices) expect(words).not.toMatch(/_|^$/);
  });

  it('shows the price of a tool without a free plan, and nothing about free use', () => {
    const text = markdown({ ...tally, pricing: 'paid', free_limits: null, team_size_max: null });
    expect(text).toContain('| Price | No free plan; a free trial is not one |');
    expect(text).toMatch(/\| What it costs \| USD 9 a month/);
    expect(text).not.toMatch(/What is free|After that|free use/);
  });

  it('says that the price was not checked for a tool without a vendor quote', () => {
    const text = markdown({
      ...tally,
      pricing: 'not_checked',
      free_limits: null,
      then: null,
      check: null,
      proof: null,
    });
    expect(text).toContain(
      'We could not read the vendor’s page. Whether there is a free plan is not checked.',
    );
    expect(text).not.toMatch(/In the vendor’s words|proof/);
  });

  it('says how to leave a tool, if known', () => {
    const text = markdown({ ...tally, leave: 'Export the invoices as CSV.' });
    expect(text).toContain('| To leave it | Export the invoices as CSV. |');
    expect(markdown(tally)).not.toContain('To leave it');
  });

  it('shows its facts without a visible heading, but with one for screen readers', () => {
    expect(html(tally)).toContain('<table aria-label="Facts"><tbody>');
  });

  it('marks links to vendors as no recommendation for search engines, but not links to our pages', () => {
    expect(html(tally)).toContain(
      '<a href="https://help.tally.example/free" rel="noopener nofollow">help.tally.example</a>',
    );
    expect(html(tally)).toContain('<a href="/v1/tools/tally-books">');
  });
});
