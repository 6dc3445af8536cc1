import { expect, test } from 'vitest';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { exampleAnswer } from '../../../catalog/seal.ts';
import { utcDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import { Blocks } from '../blocks.tsx';
import { type ReportBody, reportView } from './report.ts';

const operation = catalog.find(({ name }) => name === 'small_business_stack_report');
const bought = (changes: Readonly<Record<string, unknown>> = {}): ReportBody => {
  if (!operation) throw new Error('The catalog has no report');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, validate, { today: utcDay(NOON) }) as ReportBody;
};

const quote = {
  text: 'Free for ever.',
  language: 'en',
  source_url: 'https://docs.example.com/free',
  checked_on: '2026-11-20',
  method: 'stored_copy',
  source_dated: null,
} as const;
const small: ReportBody = {
  business_type: 'online_store',
  team_size: 1,
  free_only: true,
  generated_on: '2026-11-21',
  picks: [
    {
      need: 'crm',
      need_name: 'Customer records',
      tool: {
        id: 'acme',
        name: 'Acme <b>CRM</b>',
        vendor: 'Acme',
        homepage: 'https://acme.example/',
        pricing: 'open_source',
        hosting: ['self_hosted', 'mobile'],
        regions: ['US'],
        licence: 'MIT',
      },
      vendor_quote: quote,
      why: ['Customer records is its main purpose.'],
      caveats: ['Needs a server.'],
      alternatives: [
        {
          id: 'other',
          name: 'Other',
          homepage: 'javascript:alert(1)',
          pricing: 'freemium',
          why: 'Runs at the vendor.',
          vendor_quote: {
            ...quote,
            text: 'Kostenlos',
            language: 'de',
            method: 'vendor_page',
            source_dated: '2026-03-01',
          },
        },
      ],
      also_covers: ['crm', 'e_signature'],
    },
  ],
  unmet: [{ need: 'phone_voip', reason: 'No checked listing is free there.' }],
  getting_started: ['First this.'],
  caveats: ['Free plans change.'],
  directory: { listings: 219, oldest_check: '2026-11-20', newest_check: '2026-11-21' },
};

test('the documented report has a part for each of its needs, and the words of every tool in it', () => {
  const body = bought();
  const blocks = reportView(body);
  expect(blocks[0]).toMatchObject({ figures: [{ label: 'Needs met', value: '11 of 11' }, {}] });
  expect(blocks[1]).toEqual({ text: 'Business type: trades, for 4 people. Made on 21 November 2026.' });
  const quoted = blocks.flatMap((block) => ('quotation' in block ? [block.quotation] : []));
  expect(quoted).toEqual(
    body.picks.flatMap((pick) =>
      [pick, ...pick.alternatives].map(({ vendor_quote }) => `“${vendor_quote.text}”`),
    ),
  );
  const headings = blocks.flatMap((block) => ('subheading' in block ? [block.subheading] : []));
  for (const { need_name, tool } of body.picks) expect(headings).toContain(`${need_name}: ${tool.name}`);
});

test('a pick is linked, says why, and stands on the words of its vendor with source, day and manner', () => {
  const blocks = reportView(small);
  expect(blocks).toContainEqual({
    text: [
      { link: 'Acme <b>CRM</b>', href: 'https://acme.example/' },
      ' by Acme: open source. Runs on your own server and on a phone or tablet. Only for the United States. Licence: MIT. ',
      { link: 'Its listing', href: '/tools/acme' },
    ],
  });
  expect(blocks).toContainEqual({ list: ['Customer records is its main purpose.'] });
  expect(blocks).toContainEqual({
    quotation: '“Free for ever.”',
    language: 'en',
    source: [
      { link: 'docs.example.com', href: 'https://docs.example.com/free' },
      ', read on 20 November 2026 in a stored copy of the vendor’s page. The date of the source is not known.',
    ],
  });
  expect(blocks).toContainEqual({
    quotation: '“Kostenlos”',
    language: 'de',
    source: [
      { link: 'docs.example.com', href: 'https://docs.example.com/free' },
      ', read on 20 November 2026 on a page of the vendor’s that states its own date. The source is dated 1 March 2026. The words are in German.',
    ],
  });
});

test('what has no tool is told with its reason, and so is what the report was made of', () => {
  const blocks = reportView(small);
  expect(blocks[0]).toMatchObject({ figures: [{ value: '1 of 2' }, { value: '1' }] });
  expect(blocks[1]).toEqual({
    text: 'Business type: online store, for 1 person, only tools that never ask for money. Made on 21 November 2026.',
  });
  expect(blocks).toContainEqual({ list: ['phone voip: No checked listing is free there.'] });
  expect(blocks).toContainEqual({ text: 'It also covers: Customer records, e signature.' });
  expect(blocks.at(-1)).toEqual({
    text: 'Chosen from 219 listings, checked between 20 November 2026 and 21 November 2026.',
  });
});

test('a name that looks like markup stays text, and only https is ever linked', () => {
  const html = String(Blocks({ blocks: reportView(small) }));
  expect(html).toContain('Acme &lt;b&gt;CRM&lt;/b&gt;');
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/href="javascript/);
});
