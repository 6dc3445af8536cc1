import { expect, test } from 'vitest';
import { smallReport as small } from '../../../../test/pages/report-sample.ts';
import { answer, html } from '../../../../test/support/papers.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { blocksMarkdown } from '../markdown.ts';
import { BLANK } from './letterhead.ts';
import { planSteps, reportSample, reportSampleSheet, reportSheet, reportView } from './report.ts';
import { sheetText } from './sheet.ts';

type Body = AnswerOf<'small_business_stack_report'>;
const bought = (changes = {}) => answer<Body>('small_business_stack_report', changes);
const markdownOf = (body: Body) => blocksMarkdown(reportView(body), 'https://calc.example');

test('a report begins with what the tools cost, and has each tool once, with its needs, costs, things to do and quotation', () => {
  const body = bought();
  const { parts } = reportSheet(body, BLANK);
  expect(parts[0]).toMatchObject({ highlights: [{ value: '$0 a month' }, {}, {}] });
  const steps = parts.flatMap((part) => ('steps' in part ? part.steps : [])).filter(({ title }) => title);
  expect(steps).toHaveLength(new Set(body.picks.map(({ tool }) => tool.id)).size);
  for (const { notes, quotation } of steps) {
    expect(notes.map(({ label }) => label).slice(0, 2)).toEqual(['Free now', 'Then']);
    const said = Object.fromEntries(notes.map(({ label, text }) => [label, text]));
    if (said.Then === 'Nothing more.') expect(said['Know first'] ?? '').not.toMatch(/\bpaid\b/);
    expect(quotation).toBeDefined();
  }
  for (const { need_name } of [...body.picks, ...body.unmet])
    expect(steps.map(({ about }) => about).join()).toContain(need_name);
  const said = sheetText(reportSheet(body, BLANK), 'https://calc.example');
  for (const { text, first_hour = [] } of planSteps(body))
    for (const line of [text, ...first_hour]) expect(said).toContain(`[ ] ${line}`);
  for (const { caveats, vendor_quote } of body.picks) {
    for (const caveat of caveats) expect(said).toContain(caveat);
    expect(said).toContain(vendor_quote.text.slice(0, 20));
  }
});

test('the general notes about a report are in its text, but not on paper', () => {
  const body = bought();
  const paper = html(reportSheet(body, BLANK));
  for (const caveat of body.caveats) {
    expect(markdownOf(body)).toContain(`- ${caveat}`);
    expect(paper).not.toContain(caveat);
  }
});

test('a report names what the tools need first, and the paid tool that comes before them', () => {
  const body = bought({ trade: 'gym', business_type: 'service', country: 'US', free_only: false });
  const { first, subscription_total: cost } = body.summary;
  const text = markdownOf(body);
  expect(first).toMatch(/^Start with Mindbody .* Then: /);
  expect(text).toContain(`First: ${first}`);
  expect(text).toContain(cost.slice('USD 0 a month w'.length));
});

test('the report names the tools for the buyer’s country in its text, before those for every country', () => {
  const named = (business_type: string, country: string, needs: readonly string[] = []) =>
    markdownOf(bought({ business_type, trade: undefined, country, team_size: 2, free_only: false, needs }));
  for (const [type, country, names] of [
    ['service', 'ES', ['Bizum']],
    ['service', 'CH', ['TWINT', 'bexio']],
    ['service', 'SE', ['Fortnox', 'Bokio', 'Swish']],
    ['nonprofit', 'DE', ['betterplace.org']],
    ['creator', 'BR', ['Hotmart', 'Kiwify']],
  ] as const)
    for (const name of names)
      expect([country, named(type, country).includes(`${name} (`)]).toEqual([country, true]);
  expect(named('service', 'CH')).toMatch(/Instead[^\n]*: TWINT \(/);
});

test("a vendor's additional statements have their own source and date", () => {
  const body = bought({
    business_type: 'online_store',
    trade: undefined,
    country: 'JP',
    team_size: 2,
    needs: [],
  });
  const text = markdownOf(body);
  const further = body.picks.flatMap(({ vendor_quote: { also = [] } }) => also);
  expect(further.length).toBeGreaterThan(0);
  const said = [
    ...text.matchAll(/ Also: “[^”]*”(, (?:same page|as copied by [^,]+|\[[^,]+), (?:not dated|\w+ \d{4}))?/g),
  ];
  expect(said.length).toBeGreaterThan(0);
  for (const [words, source] of said) expect([words, source]).toEqual([words, expect.any(String)]);
});

test('a sample shows the first step in full, and only mentions that the other needs exist', () => {
  const body = bought();
  const text = sheetText(reportSampleSheet(body)).toLowerCase();
  const [begun] = planSteps(body);
  for (const { need_name, tool, vendor_quote } of body.picks) {
    expect(text).toContain(need_name.toLowerCase());
    expect(text.includes(vendor_quote.source_url.toLowerCase())).toBe(tool.id === begun?.tool);
  }
  expect(JSON.stringify(reportSample(body))).toContain('counter');
});

test('a name in a report that looks like markup stays text, and only https addresses are linked', () => {
  const text = html(reportSheet(small as Body, BLANK));
  expect(text).toContain('Acme &lt;b>CRM&lt;/b>');
  expect(text).not.toContain('<b>');
  expect(text).not.toMatch(/href="javascript/);
});
