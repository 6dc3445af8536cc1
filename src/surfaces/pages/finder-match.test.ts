import { describe, expect, it } from 'vitest';
import { siteOf } from '../../../test/support/site.ts';
import { TRADES } from '../../trades/trades.ts';
import { findTools, foundText, NO_SEARCH, reasonText, rowsOf, type ToolSearch } from './finder-match.ts';
import { directoryIndex } from './finder-pages.tsx';
import { placed } from './shell.tsx';

const { site } = siteOf();
const operation = placed(site).find(({ name }) => name === 'list_tools');
if (operation === undefined) throw new Error('the catalog has no directory');
const index = directoryIndex(site, operation);
const find = (words: string, more: Partial<ToolSearch> = {}) =>
  findTools(index, { ...NO_SEARCH, words, ...more });
const firstNeed = (words: string) => find(words).sections.find(({ need }) => need !== null)?.need?.slug;
const ids = (words: string, more: Partial<ToolSearch> = {}) =>
  find(words, more).sections.flatMap(({ rows }) => rows.map(({ tool }) => tool.id));

/** What owners type, by the need that they mean. */
const WORDS: Readonly<Record<string, string>> = {
  scheduling_booking:
    'salon booking; appointment salon; hairdresser; hairdresser booking app; calender; ' +
    'calendar for my nail salon; appointmnt; online booking system free; table reservations restaurant; ' +
    'take bookings; appointment reminders by text; diary for a salon; book a class; ' +
    'how can my customers book online',
  invoicing:
    'free invoice app; invoce; best free invoicing software for small business; bill customers; ' +
    'invoice app; send an invoice; send bills; chase late payments; unpaid bills',
  quotes_estimates: 'quotation; job estimate plumber; price up a job; estimate template; write a proposal',
  payments:
    'card reader; take card payments; get paid by card; take payments on my phone; accept credit cards; ' +
    'paypal alternative; charge a deposit; chip and pin; get paid faster',
  point_of_sale:
    'till for my café; cash register; gift vouchers; gift cards; loyalty cards; till; shop till app; ' +
    'cash drawer; self checkout',
  inventory: 'stock control; stock take; count stock',
  online_store:
    'sell online; webshop; delivery; delivery orders; takeaway orders; order ahead; sell flowers online',
  website_builder:
    'build a website; web site; website builder; web site for my shop; make my own website; ' +
    'domain name and email',
  email_marketing: 'newsletter; e-mail marketing; email campaigns; send offers to customers; mailshot',
  social_media: 'instagram posts; advertise my shop; post on facebook',
  seo_local: 'google maps reviews; get more reviews; be on google',
  crm: 'client list; customer database; keep track of customers; customer details; keep customer notes',
  accounting:
    'bookkeeping; tax return; book keeping; bookkeeper software; do my taxes; vat; self assessment; ' +
    'profit; quick books',
  expenses_receipts: 'receipts; scan receipts with phone; track miles',
  time_tracking: 'timesheet; time-sheets; clock in and out; hours for each job',
  payroll_hr:
    'staff rota; payroll; rota; staff rota app; shift swaps; pay my staff; payslips; holiday requests',
  e_signature: 'sign documents; e-signature; get a contract signed',
  video_meetings: 'video calls; meet clients online',
  team_chat: 'team chat; group chat for staff',
  file_storage: 'share files; share big files',
  project_management: 'to do list; job sheets for my team',
  forms_surveys: 'feedback form; questionnaire for clients',
  design_graphics: 'flyer design; menu maker; make a logo',
  photo_video_audio: 'edit photos; edit a video',
  passwords_security: 'password manager; keep passwords safe',
  donor_fundraising: 'donations; raise money',
  volunteer_membership: 'volunteers',
  customer_support: 'live chat for my website',
  link_in_bio: 'link in bio',
  ai_assistants: 'chatbot; chat gpt',
  backup: 'backups; back up my laptop',
  phone_voip: 'business phone number; call customers; answer the phone',
  analytics: 'website visitors',
  contracts_legal_templates: 'contract for a client',
  documents_office: 'write a letter',
  newsletter_publishing: 'write a blog',
};
const MEANT = Object.entries(WORDS).flatMap(([need, words]) =>
  words.split('; ').map((text) => [text, need] as const),
);

describe('a search for tools', () => {
  it.each(MEANT)('reads “%s” as %s', (words, need) => {
    expect(firstNeed(words)).toBe(need);
  });

  it('finds every need by its name and by each of its words', () => {
    const missed = index.needs.flatMap(({ slug, name, words }) =>
      [name, ...words].filter((word) => firstNeed(word) !== slug).map((word) => `${slug}: ${word}`),
    );
    expect(missed).toEqual([]);
  });

  it('leads from every name of a trade to its first need, or to the need of that name', () => {
    const called = new Map(
      index.needs.flatMap(({ slug, words }) => words.map((word) => [word, slug] as const)),
    );
    for (const trade of TRADES)
      for (const word of [trade.name, ...trade.words]) {
        const { count, sections } = find(word);
        expect([word, count > 0]).toEqual([word, true]);
        const need = sections.find((section) => section.need !== null)?.need?.slug;
        expect([word, need]).toEqual([word, called.get(word.toLowerCase()) ?? Object.keys(trade.tools)[0]]);
      }
  });

  it("shows the trade's own pick first if a trade and a need are named", () => {
    for (const trade of TRADES)
      for (const [slug, picks] of Object.entries(trade.tools)) {
        if (picks === undefined) continue;
        const need = index.needs.find((one) => one.slug === slug);
        const listed = picks.find(({ id }) => index.tools.some((tool) => tool.id === id));
        if (need === undefined || listed === undefined) continue;
        const found = find(`${trade.words[0]}`, { need: slug });
        expect([trade.id, slug, found.sections[0]?.rows[0]?.tool.id]).toEqual([trade.id, slug, listed.id]);
      }
  });

  it('shows the pick for a need first, then the editor’s order, each tool once with all its reasons', () => {
    for (const need of index.needs) {
      const shown = ids('', { need: need.slug });
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown[0]).toBe(need.pick ?? shown[0]);
      const national = need.places.filter(({ only }) => only !== null).map(({ id }) => id);
      const wide = need.places.filter(({ only }) => only === null).map(({ id }) => id);
      expect(shown).toEqual([
        ...new Set([...(need.pick === null ? [] : [need.pick]), ...wide, ...national, ...need.others]),
      ]);
    }
  });

  it('gives one reason for a tool: the reason for its place on the shelf for most kinds of business', () => {
    const place = (reason: string, types: string[] | null, where = '') => ({
      reason,
      for: types,
      not_for: null,
      where,
      only: null,
    });
    const page = 'A booking page in your calendar.';
    expect(reasonText([place('Two.', ['trades']), place(page, ['trades', 'service'])])).toBe(
      `${page} For trades and service businesses.`,
    );
    expect(reasonText([place(page, ['trades'], 'Only in Canada.'), place('For everyone.', null)])).toBe(
      'For everyone.',
    );
    expect(reasonText([place(page, ['trades'], 'Only in Canada.')], false)).toBe(`${page} Only in Canada.`);
    const square = find('square appointments').sections[0]?.rows[0];
    expect(square?.says).toMatch(/^Booking page, reminders and payments in one place\./);
    expect(square?.says.match(/Not in every country|Only in/g)).toHaveLength(1);
  });

  it('says in a sentence why each tool is listed', () => {
    const words = [...MEANT.map(([text]) => text), ...TRADES.map(({ name }) => name), 'square', 'google'];
    for (const text of words)
      for (const { rows } of find(text).sections)
        for (const { tool, says } of rows)
          expect([text, tool.id, says]).toEqual([
            text,
            tool.id,
            expect.stringMatching(/^[A-Z0-9].{9,}[.)]$/),
          ]);
    for (const need of index.needs)
      for (const { tool, says } of rowsOf(need, new Map(index.tools.map((one) => [one.id, one]))))
        expect([need.slug, tool.id, says]).toEqual([
          need.slug,
          tool.id,
          expect.stringMatching(/^[A-Z0-9].{9,}[.)]$/),
        ]);
  });

  it('puts tools for one or two countries after the others, unless that country is chosen', () => {
    const national = (id: string | undefined) =>
      index.needs.some(
        ({ slug, places }) =>
          slug === 'accounting' && places.some((one) => one.id === id && one.only !== null),
      );
    expect(national(ids('accounting')[0])).toBe(false);
    expect(ids('accounting', { country: 'GB' })[0]).toBe('pandle');
    expect(ids('accounting', { country: 'DE' })).not.toContain('pandle');
  });

  it('never shows two rows for one tool', () => {
    const words = [...MEANT.map(([text]) => text), ...TRADES.map(({ name }) => name), 'zoho', 'square', ''];
    for (const text of words)
      for (const business of ['', 'retail']) {
        const shown = ids(text, { business });
        expect([text, new Set(shown).size]).toEqual([text, shown.length]);
      }
  });

  it('finds tools by name, with those that match more words first', () => {
    expect(ids('loyverse')[0]).toBe('loyverse');
    expect(ids('Google Calendar')[0]).toMatch(/google-calendar/);
    expect(ids('hubspt')[0]).toMatch(/hubspot/);
  });

  it('puts the tool of a brand first, and says if it has no free plan', () => {
    for (const [brand, id] of [
      ['stripe', 'stripe'],
      ['calendly', 'calendly'],
      ['zoom', 'zoom-basic'],
      ['canva', 'canva-free'],
      ['mailchimp', 'mailchimp-free'],
      ['quickbooks', 'quickbooks-online'],
    ] as const)
      expect([brand, ids(brand)[0]]).toEqual([brand, id]);
    expect(ids('google').length).toBeGreaterThan(5);
    for (const id of ids('google')) expect(id).toMatch(/google/);
    for (const [brand, need] of [
      ['xero', 'accounting'],
      ['shopify', 'online_store'],
    ] as const) {
      expect(find(brand).known?.says).toMatch(/^no free plan/);
      expect(firstNeed(brand)).toBe(need);
    }
    expect(find('invoices').known).toBeNull();
  });

  it('leaves out needs that share only a word with the question', () => {
    const needs = (words: string) => find(words).sections.map(({ need }) => need?.slug ?? null);
    expect(needs('how do I take card payments at a market stall')).toEqual(['payments']);
    expect(needs('keep track of stock')).toEqual(['inventory']);
    expect(needs('share big files')[0]).toBe('file_storage');
    expect(needs('design a flyer')).toEqual(['design_graphics']);
    expect(needs('collect signatures')).toEqual(['e_signature']);
    expect(needs('photographer website')).toEqual(['website_builder']);
    expect(needs('what is the best crm for a small team')).toEqual(['crm']);
    expect(needs('accounting for freelancers')).toEqual(['accounting']);
  });

  it('does not show software for another trade, and says what to look for', () => {
    const [first] = find('gym').sections;
    expect([first?.need?.slug, first?.rows, first?.advice]).toEqual([
      'trade_software',
      [],
      expect.stringMatching(/gym software/),
    ]);
    expect(ids('gym').length).toBeGreaterThan(3);
  });

  it('shows only tools that pass the filters', () => {
    const german = find('newsletter', { runs: 'self_hosted', country: 'DE' });
    expect(german.count).toBeGreaterThan(0);
    for (const { rows } of german.sections)
      for (const { tool } of rows) {
        expect(tool.runs).toContain('self_hosted');
        expect(tool.closed).not.toContain('DE');
      }
    const free = ids('booking', { kind: 'free' });
    for (const id of free) expect(index.tools.find((tool) => tool.id === id)?.kind).toBe('free');
  });

  it('offers the nearest need if nothing is found, and says so', () => {
    const found = find('foo bokingzz');
    expect([found.count, found.near?.slug]).toEqual([0, 'scheduling_booking']);
    expect(foundText(found, { ...NO_SEARCH, words: 'foo bokingzz' })).toMatch(
      /Did you mean Scheduling and booking\?$/,
    );
    const nothing = find('qqqq wwww');
    expect([nothing.count, nothing.near]).toEqual([0, null]);
    expect(foundText(nothing, NO_SEARCH)).toMatch(/need below/);
  });
});
