import { convert } from 'html-to-text';
import { expect, it } from 'vitest';
import { inputSchema, outputSchema } from '../../src/catalog/schema.ts';
import {
  conflict,
  notGoneThrough,
  ON_HOLD,
  type Purchase,
  REUSED_DETAIL,
  USED_DETAIL,
  underWay,
  voided,
  waiting,
} from '../../src/exchange/purchase.ts';
import { reportView } from '../../src/surfaces/pages/documents/report.ts';
import { faultText } from '../../src/surfaces/pages/form-faults.tsx';
import { formOf } from '../../src/surfaces/pages/form-fields.ts';
import { blocksMarkdown } from '../../src/surfaces/pages/markdown.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { freshClaim } from '../exchange/claims-contract.ts';
import * as directory from '../pages/directory-samples.ts';
import { markdown, tally } from '../pages/listing-samples.ts';
import { smallReport } from '../pages/report-sample.ts';
import { BASE_URL, catalog, testApp } from '../support/app.ts';
import { orderOf } from '../support/order.ts';
import { ANSWERED, asked, FAULTY, operationAt } from './cases.ts';
import { packs } from './packs.ts';

// The sentences that callers and owners read, in one file; the letters are in letters.txt. After you reword a
// sentence, run `npx vitest run test/prose test/letters/vectors.test.ts test/corpus -u`, and read the diff.

type Listing = Parameters<typeof markdown>[0];

const short = (values: unknown): string => JSON.stringify(values).replace(/(.{200}).+/, '$1…');

/** Every sentence in an answer, each once, in order. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return /\w \w+ \w/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesOf) : [];
}

type Described = {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
};

/** The descriptions of a schema and of all schemas in it, by field. */
function described({ description, properties = {}, items, anyOf = [] }: Described, place: string): string[] {
  return [
    ...(description === undefined ? [] : [`${place || '(all)'}: ${description}`]),
    ...Object.entries(properties).flatMap(([name, member]) => described(member, `${place}/${name}`)),
    ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap((member) => described(member, place)),
  ];
}

function operations(): string[] {
  return catalog.map((operation) => {
    const { name, title, summary, description, input, output, page } = operation;
    const words = page === null ? [] : [page.heading, page.summary, page.lead];
    const { fields, lists } = formOf(operation);
    const labels = [...fields, ...lists.flatMap((list) => [{ ...list, help: '' }, ...list.fields])].map(
      (field) => `${field.name}: ${[field.label, field.help].filter(Boolean).join('. ')}`,
    );
    return [
      `=== ${name}: ${title}`,
      summary,
      description,
      ...words,
      ...['--- input', ...described(inputSchema({ input }) as Described, '')],
      ...['--- output', ...described(outputSchema({ output }) as Described, '')],
      ...(page === null ? [] : ['--- form', ...labels]),
    ].join('\n');
  });
}

const problems = () =>
  problemTypes.map(
    ({ code, title, meaning, remedy }) => `=== problem ${code}\n${title}\n${meaning}\n${remedy}`,
  );

/** What a buyer reads after a payment that has not bought an answer. */
function payments(): string[] {
  const purchase = orderOf() as unknown as Purchase;
  const outcomes = [
    underWay(purchase, freshClaim()),
    waiting(purchase, freshClaim()),
    notGoneThrough(purchase, freshClaim(), 'insufficient_funds'),
    voided(purchase, freshClaim(), null),
    conflict('payment_already_used', USED_DETAIL, null),
    conflict('idempotency_key_reused', REUSED_DETAIL, null),
    ON_HOLD,
  ];
  return outcomes.map((outcome) => {
    const title = 'code' in outcome ? outcome.code : outcome.state;
    return `=== payment ${title}\n${'detail' in outcome && outcome.detail}`;
  });
}

const answers = () =>
  ANSWERED.map(([path, values]) => {
    const told = sentencesOf(asked(path, values).body);
    return [`=== ${path} ${short(values)}`, ...new Set(told)].join('\n');
  });

const faults = () =>
  FAULTY.map(([path, values]) => {
    const told = asked(path, values).faults.flatMap((fault) => [
      `${fault.pointer} ${fault.detail}${fault.hint === undefined ? '' : ` (${fault.hint})`}`,
      `  ${faultText(fault, formOf(operationAt(path)))}`,
    ]);
    return [`=== ${path} ${short(values)}`, ...told].join('\n');
  });

const quoted = (check: object) => ({ ...tally, proof: 'fair' as const, check: { ...tally.check, ...check } });

/** Listings with every fact, and those whose source leaves something open. */
const LISTINGS: Readonly<Record<string, Listing>> = {
  'a listing': tally,
  'a listing with hardly any fact': {
    ...quoted({
      quote: 'Rechnungen schreiben, kostenlos',
      language: 'de',
      quote_translation: { text: 'Write invoices, free of charge', language: 'en' },
      ...{ method: 'stored_copy', source_dated: null },
    }),
    ...{ pricing: 'free', requires: [], free_limits: null, then: null, cost: null, team_size_max: null },
    ...{ regions: null, licence: null, caveats: [] },
  },
  'a listing that was read live': quoted({ method: 'live_page', source_dated: null }),
  'a listing that was transcribed': quoted({
    method: 'transcription',
    transcribed_by: { name: 'A Register', url: 'https://register.example/tally', read_on: '2026-08-13' },
    source_dated: null,
  }),
  'a listing for any number of people': { ...tally, team_size_max: null, seats_unlimited: true },
  'a listing of open source, with a way to leave': {
    ...tally,
    pricing: 'open_source',
    leave: 'Export the invoices as CSV.',
  },
  'a listing without a free plan': { ...tally, pricing: 'paid', free_limits: null, team_size_max: null },
  'a listing that was not checked': {
    ...tally,
    ...{ pricing: 'not_checked', free_limits: null, then: null, check: null, proof: null },
  },
};

const views = () => [
  ...Object.entries(LISTINGS).map(([title, listing]) => `=== ${title}\n${markdown(listing)}`),
  `=== a report\n${blocksMarkdown(reportView(smallReport), BASE_URL)}`,
  `=== a directory\n${directory.markdown(directory.whole)}`,
  `=== a category\n${directory.markdown(directory.one)}`,
];

async function pages(): Promise<string[]> {
  const { get } = testApp();
  const paths = ['/', ...catalog.flatMap(({ page }) => (page === null ? [] : [page.path]))];
  const own = [...paths, '/legal'].filter(
    // The text of these addresses changes with the directory.
    (path) => !path.includes('{') && path !== '/tools',
  );
  return Promise.all(
    own.map(async (path) => {
      const html = await (await get(path, { accept: 'text/html' })).text();
      const selectors = [
        { selector: 'a', options: { ignoreHref: true } },
        { selector: 'img', format: 'skip' },
        ...['header', 'nav', 'footer', 'script', 'select'].map((selector) => ({ selector, format: 'skip' })),
      ];
      return `=== page ${path}\n${convert(html, { wordwrap: false, selectors })}`;
    }),
  );
}

it('the sentences that callers and owners read equal the sentences recorded in prose.txt', async () => {
  const told = [
    ...operations(),
    ...problems(),
    ...payments(),
    ...answers(),
    ...faults(),
    ...packs(),
    ...views(),
    ...(await pages()),
  ];
  await expect(`${told.join('\n\n')}\n`).toMatchFileSnapshot('../vectors/prose.txt');
});
