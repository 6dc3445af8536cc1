import { expect, test } from 'vitest';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { exampleAnswer } from '../../../catalog/seal.ts';
import { utcDay } from '../../../domain/calendar.ts';
import type { StackReport } from '../../../domain/stack-report.ts';
import { validate } from '../../../exchange/validate.ts';
import { Blocks } from '../blocks.tsx';
import { blocksMarkdown } from '../markdown.ts';
import { reportSample, reportView } from './report.ts';

const operation = catalog.find(({ name }) => name === 'small_business_stack_report');
const bought = (changes: Readonly<Record<string, unknown>> = {}): StackReport => {
  if (!operation) throw new Error('The catalog has no report');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, validate, { today: utcDay(NOON) }) as StackReport;
};

const small: StackReport = {
  business_type: 'online_store',
  team_size: 1,
  free_only: true,
  country: 'DE',
  generated_on: '2026-11-21',
  summary: {
    sentence: 'For online stores: 1 free tool meets 1 of 2 needs without a subscription.',
    table: [
      { need: 'Customer records', tool: 'Acme <b>CRM</b>', free_until: null, cost: '1 % of each sale' },
    ],
    subscription_total: 'USD 0 a month',
    accounts: ['Acme account'],
    setup_minutes_estimate: 45,
    first: 'Open an Acme account.',
  },
  picks: [
    {
      need: 'crm',
      need_name: 'Customer records',
      tool: {
        id: 'acme',
        name: 'Acme <b>CRM</b>',
        vendor: 'Acme',
        homepage: 'https://acme.example/',
        hosting: ['self_hosted', 'mobile'],
      },
      why: ['Keeps every client on one page.'],
      free_until: '500 clients',
      then: 'USD 9 a month.',
      cost: '1 % of each sale',
      vendor_quote: {
        text: 'Kostenlos',
        language: 'de',
        translation: 'Free of charge',
        source_url: 'https://docs.example.com/free',
        checked_on: '2026-11-20',
        method: 'stored_copy',
        proof: 'fair',
      },
      caveats: ['Needs a server.'],
      alternatives: [
        {
          id: 'other',
          name: 'Other',
          plus: 'Runs at the vendor.',
          minus: 'Three clients only.',
        },
      ],
      at_home: [{ id: 'home', name: 'Home', regions: ['US'] }],
      works_with: ['Invoicing: the same tool'],
      also_well_known: [
        { name: 'Known', homepage: 'javascript:alert(1)', why_not_picked: 'No words of its vendor’s.' },
      ],
    },
  ],
  unmet: [
    {
      need: 'phone_voip',
      need_name: 'Phone and VoIP',
      reason: 'No checked tool serves it.',
      way_out: 'Use a second SIM.',
      also_well_known: [],
    },
  ],
  getting_started: [{ step: 1, text: 'Open an Acme account.', needs: ['crm'] }],
  caveats: ['Free plans change.'],
  legend: { proof: { fair: 'older words' }, method: { stored_copy: 'in a stored copy' } },
  directory: { listings: 7, oldest_check: '2026-11-20', newest_check: '2026-11-21' },
};

test('the documented report has a part for each of its needs, and the words of every pick in it', () => {
  const body = bought();
  const blocks = reportView(body);
  expect(blocks[0]).toEqual({ text: body.summary.sentence });
  expect(blocks[1]).toEqual({ text: 'Business type: trades, for 4 people. Made on 21 November 2026.' });
  const quoted = blocks.flatMap((block) => ('quotation' in block ? [block.quotation] : []));
  expect(quoted).toHaveLength(body.picks.length);
  const headings = blocks.flatMap((block) => ('subheading' in block ? [block.subheading] : []));
  for (const { need_name, tool } of body.picks) expect(headings).toContain(`${need_name}: ${tool.name}`);
  for (const { need_name } of body.unmet) expect(headings).toContain(need_name);
});

test('the report as text for people', () => {
  expect(blocksMarkdown(reportView(small), 'https://calc.example')).toBe(
    `For online stores: 1 free tool meets 1 of 2 needs without a subscription.

Business type: online store, for 1 person, in Germany, free only. Made on 21 November 2026.

A map of the business (online store) with a tool for each need: Customer records: Acme \\<b\\>CRM\\</b\\>.

| Need | Tool | What is free |
| --- | --- | --- |
| Customer records | Acme \\<b\\>CRM\\</b\\> | not said by the vendor. Cannot be avoided: 1 % of each sale |

- Subscriptions together: USD 0 a month.
- Accounts to open (1): Acme account.
- To set all up: about 45 minutes. This is an estimate.
- First: Open an Acme account.

## What to do, in this order

1. Open an Acme account.

## Need by need

### Customer records: Acme \\<b\\>CRM\\</b\\>

[Acme \\<b\\>CRM\\</b\\>](https://acme.example/) by Acme. The free use runs on your own server and on a phone or tablet. [Its listing](https://calc.example/tools/acme)

- Keeps every client on one page.
- What is free: 500 clients.
- Then: USD 9 a month.
- Cannot be avoided: 1 % of each sale.
- In the US, look first at [Home](https://calc.example/tools/home).
- Fits together with: Invoicing: the same tool.

> “Kostenlos”
>
> Vendor text, age unknown; proof: fair. Read on 20 November 2026 at [docs.example.com](https://docs.example.com/free), in a stored copy of the vendor’s page. The words are in German. Our translation: “Free of charge”

Know before you rely on it:

- Needs a server.

What else would do:

- [Other](https://calc.example/tools/other). For it: Runs at the vendor. Against it: Three clients only.
- Well known too: javascript:alert(1). No words of its vendor’s.

## Needs without a tool

### Phone and VoIP

What to do: Use a second SIM. No checked tool serves it.

## How to read this

- Free plans change.
- Proof “fair”: older words.

Chosen by an editor from 7 listings whose words were read between 20 November 2026 and 21 November 2026.
`,
  );
});

test('a sample shows one need in full, and of the others no more than that they are there', () => {
  const body = bought();
  const text = JSON.stringify(reportSample(body));
  const [first, ...others] = body.picks;
  expect(text).toContain(first?.vendor_quote.source_url);
  for (const { need_name, tool, vendor_quote } of others) {
    expect(text).toContain(`${need_name}: the same, for this need`);
    if (tool.id !== first?.tool.id) expect(text).not.toContain(vendor_quote.source_url);
  }
  expect(text).toContain('Shop: you sell over a counter');
});

test('a name that looks like markup stays text, and only https is ever linked', () => {
  const html = String(Blocks({ blocks: reportView(small) }));
  expect(html).toContain('Acme &lt;b&gt;CRM&lt;/b&gt;');
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/href="javascript/);
});
