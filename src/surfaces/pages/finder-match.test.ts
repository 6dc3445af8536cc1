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

/** Words that owners type, each with the need that they mean. */
const WORDS: readonly (readonly [words: string, need: string])[] = [
  ['salon booking', 'scheduling_booking'],
  ['appointment salon', 'scheduling_booking'],
  ['hairdresser', 'scheduling_booking'],
  ['hairdresser booking app', 'scheduling_booking'],
  ['calender', 'scheduling_booking'],
  ['calendar for my nail salon', 'scheduling_booking'],
  ['appointmnt', 'scheduling_booking'],
  ['online booking system free', 'scheduling_booking'],
  ['table reservations restaurant', 'scheduling_booking'],
  ['free invoice app', 'invoicing'],
  ['invoce', 'invoicing'],
  ['best free invoicing software for small business', 'invoicing'],
  ['bill customers', 'invoicing'],
  ['quotation', 'quotes_estimates'],
  ['job estimate plumber', 'quotes_estimates'],
  ['card reader', 'payments'],
  ['take card payments', 'payments'],
  ['till for my café', 'point_of_sale'],
  ['cash register', 'point_of_sale'],
  ['stock control', 'inventory'],
  ['sell online', 'online_store'],
  ['webshop', 'online_store'],
  ['build a website', 'website_builder'],
  ['web site', 'website_builder'],
  ['newsletter', 'email_marketing'],
  ['e-mail marketing', 'email_marketing'],
  ['email campaigns', 'email_marketing'],
  ['instagram posts', 'social_media'],
  ['google maps reviews', 'seo_local'],
  ['client list', 'crm'],
  ['customer database', 'crm'],
  ['bookkeeping', 'accounting'],
  ['tax return', 'accounting'],
  ['receipts', 'expenses_receipts'],
  ['timesheet', 'time_tracking'],
  ['time-sheets', 'time_tracking'],
  ['staff rota', 'payroll_hr'],
  ['payroll', 'payroll_hr'],
  ['sign documents', 'e_signature'],
  ['e-signature', 'e_signature'],
  ['video calls', 'video_meetings'],
  ['team chat', 'team_chat'],
  ['share files', 'file_storage'],
  ['to do list', 'project_management'],
  ['feedback form', 'forms_surveys'],
  ['flyer design', 'design_graphics'],
  ['edit photos', 'photo_video_audio'],
  ['password manager', 'passwords_security'],
  ['donations', 'donor_fundraising'],
  ['volunteers', 'volunteer_membership'],
  ['live chat for my website', 'customer_support'],
  ['link in bio', 'link_in_bio'],
  ['chatbot', 'ai_assistants'],
  ['backups', 'backup'],
  ['business phone number', 'phone_voip'],
  ['website visitors', 'analytics'],
];

/** Everyday phrases that owners use for their work, each with the need that serves it. */
const JOBS: readonly (readonly [words: string, need: string])[] = [
  ['get paid by card', 'payments'],
  ['take card payments', 'payments'],
  ['take payments on my phone', 'payments'],
  ['accept credit cards', 'payments'],
  ['paypal alternative', 'payments'],
  ['charge a deposit', 'payments'],
  ['chip and pin', 'payments'],
  ['get paid faster', 'payments'],
  ['gift vouchers', 'point_of_sale'],
  ['gift cards', 'point_of_sale'],
  ['loyalty cards', 'point_of_sale'],
  ['delivery', 'online_store'],
  ['delivery orders', 'online_store'],
  ['takeaway orders', 'online_store'],
  ['order ahead', 'online_store'],
  ['sell flowers online', 'online_store'],
  ['website builder', 'website_builder'],
  ['web site for my shop', 'website_builder'],
  ['make my own website', 'website_builder'],
  ['domain name and email', 'website_builder'],
  ['invoice app', 'invoicing'],
  ['send an invoice', 'invoicing'],
  ['send bills', 'invoicing'],
  ['chase late payments', 'invoicing'],
  ['unpaid bills', 'invoicing'],
  ['book keeping', 'accounting'],
  ['bookkeeper software', 'accounting'],
  ['do my taxes', 'accounting'],
  ['vat', 'accounting'],
  ['self assessment', 'accounting'],
  ['profit', 'accounting'],
  ['rota', 'payroll_hr'],
  ['staff rota app', 'payroll_hr'],
  ['shift swaps', 'payroll_hr'],
  ['pay my staff', 'payroll_hr'],
  ['payslips', 'payroll_hr'],
  ['holiday requests', 'payroll_hr'],
  ['till', 'point_of_sale'],
  ['shop till app', 'point_of_sale'],
  ['cash drawer', 'point_of_sale'],
  ['self checkout', 'point_of_sale'],
  ['stock take', 'inventory'],
  ['count stock', 'inventory'],
  ['take bookings', 'scheduling_booking'],
  ['appointment reminders by text', 'scheduling_booking'],
  ['diary for a salon', 'scheduling_booking'],
  ['book a class', 'scheduling_booking'],
  ['price up a job', 'quotes_estimates'],
  ['estimate template', 'quotes_estimates'],
  ['write a proposal', 'quotes_estimates'],
  ['keep track of customers', 'crm'],
  ['customer details', 'crm'],
  ['get more reviews', 'seo_local'],
  ['be on google', 'seo_local'],
  ['advertise my shop', 'social_media'],
  ['post on facebook', 'social_media'],
  ['send offers to customers', 'email_marketing'],
  ['mailshot', 'email_marketing'],
  ['scan receipts with phone', 'expenses_receipts'],
  ['track miles', 'expenses_receipts'],
  ['clock in and out', 'time_tracking'],
  ['hours for each job', 'time_tracking'],
  ['menu maker', 'design_graphics'],
  ['make a logo', 'design_graphics'],
  ['edit a video', 'photo_video_audio'],
  ['get a contract signed', 'e_signature'],
  ['contract for a client', 'contracts_legal_templates'],
  ['call customers', 'phone_voip'],
  ['answer the phone', 'phone_voip'],
  ['group chat for staff', 'team_chat'],
  ['keep passwords safe', 'passwords_security'],
  ['back up my laptop', 'backup'],
  ['raise money', 'donor_fundraising'],
  ['job sheets for my team', 'project_management'],
  ['write a letter', 'documents_office'],
  ['write a blog', 'newsletter_publishing'],
  ['meet clients online', 'video_meetings'],
  ['questionnaire for clients', 'forms_surveys'],
];

describe('a search for tools', () => {
  it.each([...WORDS, ...JOBS])('reads “%s” as %s', (words, need) => {
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

  it('gives one reason for a tool: that of its place for most kinds of business', () => {
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

  it('says of every tool in a sentence why it is listed', () => {
    const words = [...WORDS.map(([text]) => text), ...TRADES.map(({ name }) => name), 'square', 'google'];
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
    const words = [...WORDS.map(([text]) => text), ...TRADES.map(({ name }) => name), 'zoho', 'square', ''];
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

  it('leaves out needs that only share a word with the question', () => {
    const needs = (words: string) => find(words).sections.map(({ need }) => need?.slug ?? null);
    expect(needs('how do I take card payments at a market stall')).toEqual(['payments']);
    expect(needs('keep track of stock')).toEqual(['inventory']);
    expect(needs('design a flyer')).toEqual(['design_graphics']);
    expect(needs('collect signatures')).toEqual(['e_signature']);
    expect(needs('photographer website')).toEqual(['website_builder']);
    expect(needs('what is the best crm for a small team')).toEqual(['crm']);
    expect(needs('accounting for freelancers')).toEqual(['accounting']);
  });

  it('shows no software of another trade, and says what to look for', () => {
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
