import { expect, test } from 'vitest';
import { smallReport as small } from '../../../../test/pages/report-sample.ts';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { inOrder } from '../../../../test/support/facts.ts';
import { utcDay } from '../../../domain/calendar.ts';
import type { StackReport } from '../../../domain/stack-report.ts';
import { exampleAnswer } from '../../../exchange/validate.ts';
import { Blocks } from '../blocks.tsx';
import { blocksMarkdown } from '../markdown.ts';
import { htmlOf } from '../markup.ts';
import { planSteps, reportSample, reportView } from './report.ts';

const operation = catalog.find(({ name }) => name === 'small_business_stack_report');
const bought = (changes: Readonly<Record<string, unknown>> = {}): StackReport => {
  if (!operation) throw new Error('The catalog has no report');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, { today: utcDay(NOON) }) as StackReport;
};

test('the documented report has one part for each tool, with all of its needs and the quote from its vendor', () => {
  const body = bought();
  const blocks = reportView(body);
  expect(blocks[0]).toEqual({ text: body.summary.sentence });
  expect(blocks[1]).toEqual({
    list: [
      `First: ${body.summary.first}`,
      expect.stringMatching(inOrder('Cost now', 'USD 0 a month')),
      expect.stringMatching('^Cost later'),
    ],
  });
  expect(blocks.at(-1)).toEqual({ text: expect.stringMatching(inOrder('trades', '4', '21 November 2026')) });
  const quoted = blocks.flatMap((block) => ('quotation' in block ? [block.quotation] : []));
  const tools = new Set(body.picks.map(({ tool }) => tool.id));
  // A quotation that two tools share is shown at the first, unless the second has further words.
  const same = blocks.filter(
    (block) => 'text' in block && /^The vendor’s words are/.test(String(block.text)),
  );
  expect(quoted.length + same.length).toBe(tools.size);
  const headings = blocks.flatMap((block) => ('subheading' in block ? [block.subheading] : []));
  for (const { need_name, tool } of body.picks) {
    const own = headings.filter((heading) => heading.includes(`. ${tool.name}: `));
    expect(own).toHaveLength(1);
    expect(own[0]).toContain(need_name);
  }
  for (const { need_name } of body.unmet) expect(headings).toContain(need_name);
});

test('the report names the tools for the buyer’s country in its text, before those for every country', () => {
  const named = (business_type: string, country: string, needs: readonly string[] = []) =>
    blocksMarkdown(
      reportView(bought({ business_type, trade: undefined, country, team_size: 2, free_only: false, needs })),
      'https://calc.example',
    );
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
  const text = blocksMarkdown(reportView(body), 'https://calc.example');
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
  const text = JSON.stringify(reportSample(body));
  const begun = planSteps(body)[0]?.tool;
  for (const { need_name, tool, vendor_quote } of body.picks) {
    expect(text).toContain(need_name);
    expect(text.includes(vendor_quote.source_url)).toBe(tool.id === begun);
  }
  expect(text).toContain('counter');
});

test('a name in a report that looks like markup stays text, and only https addresses are linked', () => {
  const html = htmlOf(Blocks({ blocks: reportView(small) }));
  expect(html).toContain('Acme &lt;b>CRM&lt;/b>');
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/href="javascript/);
});
