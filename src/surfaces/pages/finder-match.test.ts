import { describe, expect, it } from 'vitest';
import { siteOf } from '../../../test/support/site.ts';
import { TRADES } from '../../trades/trades.ts';
import { findTools, foundText, NO_SEARCH, reasonsText, rowsOf, type ToolSearch } from './finder-match.ts';
import { directoryIndex } from './finder-pages.tsx';
import { placed } from './shell.tsx';

const { site } = siteOf();
const operation = placed(site).find(({ name }) => name === 'list_tools');
if (operation === undefined) throw new Error('the catalog has no directory');
const { index } = directoryIndex(site, operation);
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

describe('a search for tools', () => {
  it.each(WORDS)('reads “%s” as %s', (words, need) => {
    expect(firstNeed(words)).toBe(need);
  });

  it('finds every need by its name and by each of its words', () => {
    const missed = index.needs.flatMap(({ slug, name, words }) =>
      [name, ...words].filter((word) => firstNeed(word) !== slug).map((word) => `${slug}: ${word}`),
    );
    expect(missed).toEqual([]);
  });

  it('leads from every name of a trade to its first need, or to the need with that name', () => {
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

  it('begins with the pick of the trade if a trade and a need are named', () => {
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

  it('shows a need in the editor’s order, each tool once with all its reasons', () => {
    for (const need of index.needs) {
      const shown = ids('', { need: need.slug });
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown).toEqual([...new Set([...need.places.map(({ id }) => id), ...need.others])]);
    }
    const crm = index.needs.find(({ slug }) => slug === 'crm');
    if (crm === undefined) throw new Error('no such need');
    const tools = new Map(index.tools.map((tool) => [tool.id, tool]));
    for (const { tool, says } of rowsOf(crm, tools))
      for (const { id, reason } of crm.places)
        if (id === tool.id) expect(says).toContain(reason.split(' ').slice(0, 4).join(' '));
  });

  it('merges reasons that begin alike', () => {
    const place = (reason: string, types: string[] | null, where = '') => ({
      reason,
      for: types,
      not_for: null,
      where,
    });
    const page = 'A booking page in your calendar.';
    expect(reasonsText([place(page, ['trades']), place(page, ['service'])])).toBe(
      `${page} For trades and service businesses.`,
    );
    expect(reasonsText([place(page, ['trades'], 'Only in Canada.'), place('Another reason.', null)])).toBe(
      `${page} For trades. Only in Canada. Another reason.`,
    );
    expect(reasonsText([place(page, ['trades'])], false)).toBe(page);
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
