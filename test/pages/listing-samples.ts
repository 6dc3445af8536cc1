import type { AnswerOf } from '../../src/operations/answers.ts';
import type { Block } from '../../src/surfaces/pages/content.ts';
import { pageHtml } from '../../src/surfaces/pages/html.tsx';
import { pageMarkdown } from '../../src/surfaces/pages/markdown.ts';
import { listingView } from '../../src/surfaces/pages/views/listing.ts';
import { BASE_URL } from '../support/app.ts';

export const tally: AnswerOf<'list_tools'>['tools'][number] = {
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
  then: {
    text: 'USD 9 a month',
    source_url: 'https://help.tally.example/prices',
    plan: null,
    amount: '9',
    currency: 'USD',
    per: 'account',
    period: 'month',
    source_dated: null,
  },
  leave: null,
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

export const page = (blocks: readonly Block[]) => ({
  path: '/tools/x',
  title: 'T',
  description: 'D',
  blocks,
});

export const markdown = (body: AnswerOf<'tool'>) => pageMarkdown(page(listingView(body)), BASE_URL);

export const html = (body: AnswerOf<'tool'>) =>
  pageHtml(page(listingView(body)), { baseUrl: BASE_URL, operations: [], contactEmail: null }).replace(
    /^.*<main>|<\/main>.*$/gs,
    '',
  );
