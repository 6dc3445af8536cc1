import type { StackReport } from '../../src/report/report.ts';

/** A report with one pick and one need without a tool, whose names look like markup. */
export const smallReport: StackReport = {
  business_type: 'online_store',
  team_size: 1,
  free_only: true,
  country: 'DE',
  generated_on: '2026-11-21',
  summary: {
    sentence: 'For online stores: 1 free tool meets 1 of 2 needs without a subscription.',
    table: [
      {
        need: 'Customer records',
        tool: 'Acme <b>CRM</b>',
        free_until: '500 clients',
        cost: '1 % of each sale',
      },
    ],
    subscription_total: 'USD 0 a month',
    accounts: ['Acme account'],
    setup_minutes_estimate: 45,
    first: 'Open an Acme account.',
    after_free: { sentence: 'No price of a paid plan was checked.', monthly: [], not_checked: ['Acme'] },
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
  getting_started: [
    {
      step: 1,
      text: 'Open an Acme account.',
      needs: ['crm'],
      tool: 'acme',
      first_hour: ['Import your customers.'],
      monthly_later: 'price not checked',
      leave: 'Export a CSV file.',
    },
  ],
  worth_paying_for: [],
  does_not_fit: ['Acme and Other keep two lists.'],
  caveats: ['Free plans change.'],
  legend: { proof: { fair: 'older words' }, method: { stored_copy: 'in a stored copy' } },
  directory: { listings: 7, oldest_check: '2026-11-20', newest_check: '2026-11-21' },
};
