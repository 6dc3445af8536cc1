// Written from the catalog by scripts/client-types.js; changes made here are lost.

export type Method = 'GET' | 'POST';

/** How each operation is reached. */
export const routes = {
  quoteTotals: { method: 'POST', path: '/v1/quote', paid: false },
  lateFee: { method: 'GET', path: '/v1/late-fee', paid: false },
  listTools: { method: 'GET', path: '/v1/tools', paid: false },
  tool: { method: 'GET', path: '/v1/tools/{id}', paid: false },
  lateFeeNotice: { method: 'POST', path: '/v1/late-fee-notice', paid: true },
  quotePack: { method: 'POST', path: '/v1/quote-pack', paid: true },
  smallBusinessStackReport: { method: 'POST', path: '/v1/stack-report', paid: true },
} as const satisfies Record<string, { method: Method; path: string; paid: boolean }>;

/** What each operation takes and answers. */
export type Operations = {
  /** Totals of a quote from its line items. */
  quoteTotals: { input: QuoteTotalsInput; answer: QuoteTotalsAnswer; paid: false };
  /** Late fee on an overdue invoice. */
  lateFee: { input: LateFeeInput; answer: LateFeeAnswer; paid: false };
  /** Directory of checked free tools for small businesses. */
  listTools: { input: ListToolsInput; answer: ListToolsAnswer; paid: false };
  /** One checked free tool. */
  tool: { input: ToolInput; answer: ToolAnswer; paid: false };
  /** Late fee and a ready-to-send reminder email, USD 0.01. */
  lateFeeNotice: { input: LateFeeNoticeInput; answer: LateFeeNoticeAnswer; paid: true };
  /** Three priced options with terms and a cover note, USD 0.05. */
  quotePack: { input: QuotePackInput; answer: QuotePackAnswer; paid: true };
  /** One checked free tool per need of a business, USD 1.00. */
  smallBusinessStackReport: { input: SmallBusinessStackReportInput; answer: SmallBusinessStackReportAnswer; paid: true };
};

export interface QuoteTotalsInput {
  /**
   * Line items, 1 to 100.
   *
   * @minItems 1
   * @maxItems 100
   */
  items: {
    /**
     * What the line is for. Default: "Item" and its number.
     */
    description?: string;
    /**
     * How many.
     */
    quantity?: number;
    /**
     * Price of one; negative for a credit line. At most 6 decimals.
     */
    unit_price: number;
    /**
     * Tax of this line. Default: the tax_percent beside items.
     */
    tax_percent?: number;
  }[];
  /**
   * Tax in percent of the amount after the discount.
   */
  tax_percent?: number;
  /**
   * Whether the unit prices include the tax.
   */
  prices_include_tax?: boolean;
  /**
   * Discount in percent of the subtotal.
   */
  discount_percent?: number;
  /**
   * Discount as money, instead of discount_percent.
   */
  discount_amount?: number;
  /**
   * Deposit in percent of the total.
   */
  deposit_percent?: number;
  /**
   * Deposit as money, instead of deposit_percent.
   */
  deposit_amount?: number;
  /**
   * Days the quote holds, from today.
   */
  valid_days?: number;
  /**
   * ISO 4217 code; sets the decimals.
   */
  currency?: string;
}

export interface QuoteTotalsAnswer {
  /**
   * ISO 4217 code of every amount.
   */
  currency: string;
  /**
   * Lines in the order given.
   *
   * @maxItems 100
   */
  items: {
    /**
     * What the line is for.
     */
    description: string;
    /**
     * How many.
     */
    quantity: number;
    /**
     * Price of one.
     */
    unit_price: number;
    /**
     * Quantity times unit price, rounded to the currency.
     */
    line_total: number;
    /**
     * Tax rate of the line.
     */
    tax_percent: number;
  }[];
  /**
   * Sum of the line totals.
   */
  subtotal: number;
  /**
   * Discount on the subtotal.
   */
  discount_amount: number;
  /**
   * Subtotal less discount; without the tax where prices include it.
   */
  taxable_amount: number;
  /**
   * Tax on the taxable amount, rounded once for each rate.
   */
  tax_amount: number;
  /**
   * The tax by rate, the highest first.
   *
   * @maxItems 100
   */
  tax_breakdown: {
    /**
     * The rate.
     */
    tax_percent: number;
    /**
     * Sum of the lines of this rate.
     */
    subtotal: number;
    /**
     * Their share of the discount.
     */
    discount_amount: number;
    /**
     * What the tax is a share of.
     */
    taxable_amount: number;
    /**
     * The tax, rounded once.
     */
    tax_amount: number;
    /**
     * The tax with its currency sign.
     */
    formatted: string;
    /**
     * How the tax was reached.
     */
    formula: string;
  }[];
  /**
   * Taxable amount plus tax.
   */
  total: number;
  /**
   * Deposit on the total.
   */
  deposit_amount: number;
  /**
   * Total less deposit.
   */
  balance_due: number;
  /**
   * The amounts as people read them.
   */
  formatted: {
    /**
     * Subtotal with its currency sign.
     */
    subtotal: string;
    /**
     * Discount with its currency sign.
     */
    discount_amount: string;
    /**
     * Taxable amount with its currency sign.
     */
    taxable_amount: string;
    /**
     * Tax with its currency sign.
     */
    tax_amount: string;
    /**
     * Total with its currency sign.
     */
    total: string;
    /**
     * Deposit with its currency sign.
     */
    deposit_amount: string;
    /**
     * Balance with its currency sign.
     */
    balance_due: string;
  };
  /**
   * Each figure with the numbers it came from.
   */
  formula: {
    /**
     * How each line total was reached, in the order given.
     *
     * @maxItems 100
     */
    lines: string[];
    /**
     * How the subtotal was reached.
     */
    subtotal: string;
    /**
     * How the discount was reached.
     */
    discount_amount: string;
    /**
     * How the taxable amount was reached.
     */
    taxable_amount: string;
    /**
     * How the tax was reached.
     */
    tax_amount: string;
    /**
     * How the total was reached.
     */
    total: string;
    /**
     * How the deposit was reached.
     */
    deposit_amount: string;
    /**
     * How the balance was reached.
     */
    balance_due: string;
  };
  /**
   * Discount used; null where a sum of money was given.
   */
  discount_percent: number | null;
  /**
   * Tax of the lines that name none.
   */
  tax_percent: number;
  /**
   * Deposit used; null where a sum of money was given.
   */
  deposit_percent: number | null;
  /**
   * Whether the unit prices include the tax.
   */
  prices_include_tax: boolean;
  /**
   * Day of the quote (UTC).
   */
  issued_on: string;
  /**
   * Days the quote holds.
   */
  valid_days: number;
  /**
   * Last day the quote holds, inclusive.
   */
  valid_until: string;
  /**
   * What looks unusual about this input.
   *
   * @maxItems 20
   */
  warnings: string[];
  /**
   * What to know before sending the quote.
   *
   * @maxItems 20
   */
  caveats: string[];
}

export interface LateFeeInput {
  /**
   * Invoice amount.
   */
  amount: number;
  /**
   * Day the invoice was due, YYYY-MM-DD.
   */
  due_date: string;
  /**
   * Day the fee is worked out to, YYYY-MM-DD, paid or not. Default: today (UTC).
   */
  paid_date?: string;
  /**
   * Percent per month, year or day, or the fee itself when rate_type is flat. Default 1.5.
   */
  rate?: number;
  /**
   * What rate means: simple interest per month of 30 days, year of 365 or day, or one flat fee.
   */
  rate_type?: 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';
  /**
   * Days after the due date that cost nothing.
   */
  grace_days?: number;
  /**
   * ISO 4217 code. Default: two decimals, no symbol.
   */
  currency?: string;
  /**
   * The least charged once a fee has begun.
   */
  min_fee?: number;
  /**
   * The most ever charged.
   */
  max_fee?: number;
  /**
   * Adds statutory interest between businesses, to claim instead of the fee: GB with GBP, EU with EUR.
   */
  jurisdiction?: 'GB' | 'EU';
  /**
   * For jurisdiction, in percent, instead of the rate held here.
   */
  reference_rate?: number;
}

export interface LateFeeAnswer {
  /**
   * Invoice amount.
   */
  amount: number;
  /**
   * ISO 4217 code, or null when none was given.
   */
  currency: string | null;
  /**
   * Due date.
   */
  due_date: string;
  /**
   * Day the fee is worked out to; nothing is said to be paid.
   */
  paid_date: string;
  /**
   * Where paid_date came from.
   */
  as_of_source: 'paid_date' | 'today_utc';
  /**
   * Where the invoice stands on paid_date.
   */
  status: 'overdue' | 'within_grace' | 'not_overdue';
  /**
   * Calendar days from due_date to paid_date, never negative.
   */
  days_late: number;
  /**
   * Days that cost nothing.
   */
  grace_days: number;
  /**
   * Days late less grace days, never negative.
   */
  chargeable_days: number;
  /**
   * The rate used.
   */
  rate: number;
  /**
   * What the rate means.
   */
  rate_type: 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';
  /**
   * The fee, rounded once, half away from zero.
   */
  late_fee: number;
  /**
   * Amount plus late fee.
   */
  total_due: number;
  /**
   * What a day adds at this rate, unrounded to six decimals, before min_fee and max_fee; 0 for a flat fee.
   */
  daily_accrual: number;
  /**
   * The rate per year as usually quoted; null for a flat fee.
   */
  nominal_annual_percent: number | null;
  /**
   * The rate per 365 days as really charged; null for a flat fee.
   */
  annual_equivalent_percent: number | null;
  /**
   * How late_fee was reached, with these numbers.
   */
  formula: string;
  /**
   * The fee before its one rounding, min_fee and max_fee, as text, to six decimals.
   */
  unrounded_fee: string;
  /**
   * The least that is charged once a fee has begun, if given.
   */
  min_fee: number | null;
  /**
   * The most that is ever charged, if given.
   */
  max_fee: number | null;
  /**
   * Which of the two decided late_fee; null when neither did.
   */
  fee_limit: ('min_fee' | 'max_fee') | null;
  /**
   * With jurisdiction: interest by law between businesses, instead of the fee.
   */
  statutory?: {
    /**
     * GB, or EU: the floor of the directive, which national law may exceed.
     */
    jurisdiction: 'GB' | 'EU';
    /**
     * The law.
     */
    law: string;
    /**
     * What it gives.
     */
    rule: string;
    /**
     * Percent a year above the reference rate.
     */
    margin_percent: number;
    /**
     * The reference rates used, in order of time.
     *
     * @maxItems 40
     */
    reference_rates: {
      /**
       * Such as 2026-H2; null when reference_rate was given.
       */
      half_year: string | null;
      /**
       * The reference rate.
       */
      percent: number;
      /**
       * Day whose rate it is; null when reference_rate was given.
       */
      set_on: string | null;
      /**
       * Days of interest at it.
       */
      days: number;
      /**
       * Where the rate is from.
       */
      source: string;
    }[];
    /**
     * The yearly rate; null when several were used, or none is held.
     */
    annual_percent: number | null;
    /**
     * Interest to paid_date, rounded once; null when a rate is not held.
     */
    interest: number | null;
    /**
     * The fixed sum beside the interest.
     */
    compensation: number;
    /**
     * Amount, interest and fixed sum; never with late_fee on top.
     */
    total_due: number | null;
    /**
     * How interest was reached.
     */
    formula: string | null;
    /**
     * Why there is no figure; null when there is one.
     */
    unavailable: string | null;
    /**
     * What the figures rest on.
     *
     * @maxItems 5
     */
    rests_on: string[];
  };
  /**
   * What looks unusual about this input.
   *
   * @maxItems 20
   */
  warnings: string[];
  /**
   * What to know before using the fee.
   *
   * @maxItems 20
   */
  caveats: string[];
}

export interface ListToolsInput {
  /**
   * Only this category, by the short name that categories gives, or a common word for it.
   */
  category?: string;
  /**
   * Only tools that serve this country: ISO 3166-1, such as GB.
   */
  country?: string;
  /**
   * Most listings in one answer.
   */
  limit?: number;
  /**
   * Listings to skip; next_offset of the answer before.
   */
  offset?: number;
}

export interface ListToolsAnswer {
  /**
   * Listings that match.
   */
  count: number;
  /**
   * The category, or null for all.
   */
  category: string | null;
  /**
   * What was asked for.
   */
  country: string | null;
  /**
   * offset of the next page, or null on the last.
   */
  next_offset: number | null;
  /**
   * Every category, with how many listings it has.
   *
   * @maxItems 100
   */
  categories: {
    /**
     * What to pass as category.
     */
    slug: string;
    /**
     * Name for people.
     */
    name: string;
    /**
     * Listings in it.
     */
    count: number;
  }[];
  /**
   * Of a category: the editor’s choice, the first that fits you first.
   *
   * @maxItems 60
   */
  shelf: {
    /**
     * Id of the listing.
     */
    id: string;
    /**
     * Why it stands there.
     */
    reason: string;
    /**
     * For these business types; null for all.
     */
    for:
      | (
          'service' | 'trades' | 'retail' | 'online_store' | 'creator' | 'consultant' | 'agency' | 'nonprofit'
        )[]
      | null;
    /**
     * Not for these business types.
     */
    not_for:
      | (
          'service' | 'trades' | 'retail' | 'online_store' | 'creator' | 'consultant' | 'agency' | 'nonprofit'
        )[]
      | null;
    /**
     * ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.
     */
    regions: string[] | null;
    /**
     * What has to be there first.
     *
     * @maxItems 8
     */
    requires: (
      | 'server'
      | 'web_hosting'
      | 'wordpress'
      | 'woocommerce'
      | 'online_shop'
      | 'open_site'
      | 'programmer'
      | 'phone_provider'
      | 'other_program'
    )[];
  }[];
  /**
   * The listings of this page: of a category in the editor’s order, else by id.
   *
   * @maxItems 1000
   */
  tools: {
    /**
     * Stable id; GET /v1/tools/{id} answers with this listing alone.
     */
    id: string;
    /**
     * Name of the tool.
     */
    name: string;
    /**
     * Who makes it.
     */
    vendor: string;
    /**
     * The vendor’s page.
     */
    homepage: string;
    /**
     * Categories, the main one first.
     *
     * @maxItems 12
     */
    categories: string[];
    /**
     * free: no subscription at all; freemium: a free plan; open_source: an OSI licence when self-hosted.
     */
    pricing: 'free' | 'freemium' | 'open_source';
    /**
     * Where the free use runs. saas: online at the vendor; self_hosted: on your own server; desktop: on your computer; mobile: on a phone or tablet.
     *
     * @maxItems 4
     */
    hosting: string[];
    /**
     * What has to be there first.
     *
     * @maxItems 8
     */
    requires: (
      | 'server'
      | 'web_hosting'
      | 'wordpress'
      | 'woocommerce'
      | 'online_shop'
      | 'open_site'
      | 'programmer'
      | 'phone_provider'
      | 'other_program'
    )[];
    /**
     * Limits of the free use in our words; null when the vendor’s text does not say.
     */
    free_limits: string | null;
    /**
     * Limits that hold for one category only, in place of free_limits.
     */
    limits_by_need: {
      [k: string]: string;
    };
    /**
     * What ends the free use and what it costs then, where the vendor says so.
     */
    then: {
      /**
       * In our words.
       */
      text: string;
      /**
       * Where the vendor says so.
       */
      source_url: string;
    } | null;
    /**
     * What cannot be avoided, if anything.
     */
    cost: {
      /**
       * In our words.
       */
      text: string;
      /**
       * sales: a share of each sale; use: what the use itself costs.
       */
      on: 'sales' | 'use';
    } | null;
    /**
     * People whom the free use allows; null when not said or when there is no limit.
     */
    team_size_max: number | null;
    /**
     * true: there is no limit of people.
     */
    seats_unlimited: boolean;
    /**
     * Business types it suits.
     *
     * @maxItems 8
     */
    good_for: string[];
    /**
     * ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.
     */
    regions: string[] | null;
    /**
     * Licence of the self-hosted edition, if any.
     */
    licence: string | null;
    /**
     * What to know before relying on it, in our words.
     *
     * @maxItems 8
     */
    caveats: string[];
    /**
     * Day on which what is said here last changed, YYYY-MM-DD.
     */
    changed_on: string;
    /**
     * How well the words prove it. strong: the vendor’s words of the last 18 months, or the licence in the vendor’s own repository; fair: the vendor’s words, older, of unknown age, or written down by a named third party: look again before you sign up; thin: the vendor’s words only mention that something is free; never the proof of a pick.
     */
    proof: 'strong' | 'fair' | 'thin';
    /**
     * The evidence.
     */
    check: {
      /**
       * The vendor’s words, unaltered. A quotation, not instructions.
       */
      quote: string;
      /**
       * Of a quote that is not English.
       */
      quote_translation: {
        /**
         * Our translation.
         */
        text: string;
        /**
         * Its language.
         */
        language: string;
      } | null;
      /**
       * Language of the quote.
       */
      language: string;
      /**
       * Where the words stand.
       */
      source_url: string;
      /**
       * Day the words were read, YYYY-MM-DD.
       */
      checked_on: string;
      /**
       * Where the words were read. vendor_repository: in the vendor’s public repository; vendor_page: on a page of the vendor’s that states its own date; stored_copy: in a stored copy of the vendor’s page; live_page: on the vendor’s page itself; transcription: as a named third party wrote them down.
       */
      method: 'vendor_repository' | 'vendor_page' | 'live_page' | 'stored_copy' | 'transcription';
      /**
       * The third party of a transcription, else null.
       */
      transcribed_by: {
        /**
         * Who wrote the words down.
         */
        name: string;
        /**
         * Day they were read at the vendor’s, YYYY-MM-DD.
         */
        read_on: string;
        /**
         * Where they stand there.
         */
        url: string;
      } | null;
      /**
       * Day the source is dated; null when unknown.
       */
      source_dated: string | null;
      /**
       * Whether the words were found on checked_on.
       */
      status: 'found' | 'failed' | 'withdrawn';
    };
  }[];
}

export interface ToolInput {
  /**
   * Id of the listing, as GET /v1/tools gives it.
   */
  id: string;
}

export interface ToolAnswer {
  /**
   * Stable id; GET /v1/tools/{id} answers with this listing alone.
   */
  id: string;
  /**
   * Name of the tool.
   */
  name: string;
  /**
   * Who makes it.
   */
  vendor: string;
  /**
   * The vendor’s page.
   */
  homepage: string;
  /**
   * Categories, the main one first.
   *
   * @maxItems 12
   */
  categories: string[];
  /**
   * free: no subscription at all; freemium: a free plan; open_source: an OSI licence when self-hosted.
   */
  pricing: 'free' | 'freemium' | 'open_source';
  /**
   * Where the free use runs. saas: online at the vendor; self_hosted: on your own server; desktop: on your computer; mobile: on a phone or tablet.
   *
   * @maxItems 4
   */
  hosting: string[];
  /**
   * What has to be there first.
   *
   * @maxItems 8
   */
  requires: (
    | 'server'
    | 'web_hosting'
    | 'wordpress'
    | 'woocommerce'
    | 'online_shop'
    | 'open_site'
    | 'programmer'
    | 'phone_provider'
    | 'other_program'
  )[];
  /**
   * Limits of the free use in our words; null when the vendor’s text does not say.
   */
  free_limits: string | null;
  /**
   * Limits that hold for one category only, in place of free_limits.
   */
  limits_by_need: {
    [k: string]: string;
  };
  /**
   * What ends the free use and what it costs then, where the vendor says so.
   */
  then: {
    /**
     * In our words.
     */
    text: string;
    /**
     * Where the vendor says so.
     */
    source_url: string;
  } | null;
  /**
   * What cannot be avoided, if anything.
   */
  cost: {
    /**
     * In our words.
     */
    text: string;
    /**
     * sales: a share of each sale; use: what the use itself costs.
     */
    on: 'sales' | 'use';
  } | null;
  /**
   * People whom the free use allows; null when not said or when there is no limit.
   */
  team_size_max: number | null;
  /**
   * true: there is no limit of people.
   */
  seats_unlimited: boolean;
  /**
   * Business types it suits.
   *
   * @maxItems 8
   */
  good_for: string[];
  /**
   * ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.
   */
  regions: string[] | null;
  /**
   * Licence of the self-hosted edition, if any.
   */
  licence: string | null;
  /**
   * What to know before relying on it, in our words.
   *
   * @maxItems 8
   */
  caveats: string[];
  /**
   * Day on which what is said here last changed, YYYY-MM-DD.
   */
  changed_on: string;
  /**
   * How well the words prove it. strong: the vendor’s words of the last 18 months, or the licence in the vendor’s own repository; fair: the vendor’s words, older, of unknown age, or written down by a named third party: look again before you sign up; thin: the vendor’s words only mention that something is free; never the proof of a pick.
   */
  proof: 'strong' | 'fair' | 'thin';
  /**
   * The evidence.
   */
  check: {
    /**
     * The vendor’s words, unaltered. A quotation, not instructions.
     */
    quote: string;
    /**
     * Of a quote that is not English.
     */
    quote_translation: {
      /**
       * Our translation.
       */
      text: string;
      /**
       * Its language.
       */
      language: string;
    } | null;
    /**
     * Language of the quote.
     */
    language: string;
    /**
     * Where the words stand.
     */
    source_url: string;
    /**
     * Day the words were read, YYYY-MM-DD.
     */
    checked_on: string;
    /**
     * Where the words were read. vendor_repository: in the vendor’s public repository; vendor_page: on a page of the vendor’s that states its own date; stored_copy: in a stored copy of the vendor’s page; live_page: on the vendor’s page itself; transcription: as a named third party wrote them down.
     */
    method: 'vendor_repository' | 'vendor_page' | 'live_page' | 'stored_copy' | 'transcription';
    /**
     * The third party of a transcription, else null.
     */
    transcribed_by: {
      /**
       * Who wrote the words down.
       */
      name: string;
      /**
       * Day they were read at the vendor’s, YYYY-MM-DD.
       */
      read_on: string;
      /**
       * Where they stand there.
       */
      url: string;
    } | null;
    /**
     * Day the source is dated; null when unknown.
     */
    source_dated: string | null;
    /**
     * Whether the words were found on checked_on.
     */
    status: 'found' | 'failed' | 'withdrawn';
  };
}

export interface LateFeeNoticeInput {
  /**
   * Invoice amount.
   */
  amount: number;
  /**
   * Day the invoice was due, YYYY-MM-DD.
   */
  due_date: string;
  /**
   * Day the fee is worked out to, YYYY-MM-DD, paid or not. Default: today (UTC).
   */
  paid_date?: string;
  /**
   * Percent per month, year or day, or the fee itself when rate_type is flat. Default 1.5.
   */
  rate?: number;
  /**
   * What rate means: simple interest per month of 30 days, year of 365 or day, or one flat fee.
   */
  rate_type?: 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';
  /**
   * Days after the due date that cost nothing.
   */
  grace_days?: number;
  /**
   * ISO 4217 code. Default: two decimals, no symbol.
   */
  currency?: string;
  /**
   * The least charged once a fee has begun.
   */
  min_fee?: number;
  /**
   * The most ever charged.
   */
  max_fee?: number;
  /**
   * Adds statutory interest between businesses, to claim instead of the fee: GB with GBP, EU with EUR.
   */
  jurisdiction?: 'GB' | 'EU';
  /**
   * For jurisdiction, in percent, instead of the rate held here.
   */
  reference_rate?: number;
  /**
   * How the reminder speaks.
   */
  tone?: 'polite' | 'firm' | 'final';
  /**
   * Who the letter greets.
   */
  client_name?: string;
  /**
   * Who signs the letter.
   */
  business_name?: string;
  /**
   * Invoice number as the client knows it.
   */
  invoice_number?: string;
  /**
   * How to pay, printed line by line. Default: as the invoice says.
   */
  payment_details?: string;
  /**
   * Days until the day to pay by; a weekend moves to Monday. Default 7.
   */
  pay_within_days?: number;
}

export interface LateFeeNoticeAnswer {
  /**
   * The late fee, as the free calculator gives it.
   */
  fee: {
    /**
     * Invoice amount.
     */
    amount: number;
    /**
     * ISO 4217 code, or null when none was given.
     */
    currency: string | null;
    /**
     * Due date.
     */
    due_date: string;
    /**
     * Day the fee is worked out to; nothing is said to be paid.
     */
    paid_date: string;
    /**
     * Where paid_date came from.
     */
    as_of_source: 'paid_date' | 'today_utc';
    /**
     * Where the invoice stands on paid_date.
     */
    status: 'overdue' | 'within_grace' | 'not_overdue';
    /**
     * Calendar days from due_date to paid_date, never negative.
     */
    days_late: number;
    /**
     * Days that cost nothing.
     */
    grace_days: number;
    /**
     * Days late less grace days, never negative.
     */
    chargeable_days: number;
    /**
     * The rate used.
     */
    rate: number;
    /**
     * What the rate means.
     */
    rate_type: 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';
    /**
     * The fee, rounded once, half away from zero.
     */
    late_fee: number;
    /**
     * Amount plus late fee.
     */
    total_due: number;
    /**
     * What a day adds at this rate, unrounded to six decimals, before min_fee and max_fee; 0 for a flat fee.
     */
    daily_accrual: number;
    /**
     * The rate per year as usually quoted; null for a flat fee.
     */
    nominal_annual_percent: number | null;
    /**
     * The rate per 365 days as really charged; null for a flat fee.
     */
    annual_equivalent_percent: number | null;
    /**
     * How late_fee was reached, with these numbers.
     */
    formula: string;
    /**
     * The fee before its one rounding, min_fee and max_fee, as text, to six decimals.
     */
    unrounded_fee: string;
    /**
     * The least that is charged once a fee has begun, if given.
     */
    min_fee: number | null;
    /**
     * The most that is ever charged, if given.
     */
    max_fee: number | null;
    /**
     * Which of the two decided late_fee; null when neither did.
     */
    fee_limit: ('min_fee' | 'max_fee') | null;
    /**
     * With jurisdiction: interest by law between businesses, instead of the fee.
     */
    statutory?: {
      /**
       * GB, or EU: the floor of the directive, which national law may exceed.
       */
      jurisdiction: 'GB' | 'EU';
      /**
       * The law.
       */
      law: string;
      /**
       * What it gives.
       */
      rule: string;
      /**
       * Percent a year above the reference rate.
       */
      margin_percent: number;
      /**
       * The reference rates used, in order of time.
       *
       * @maxItems 40
       */
      reference_rates: {
        /**
         * Such as 2026-H2; null when reference_rate was given.
         */
        half_year: string | null;
        /**
         * The reference rate.
         */
        percent: number;
        /**
         * Day whose rate it is; null when reference_rate was given.
         */
        set_on: string | null;
        /**
         * Days of interest at it.
         */
        days: number;
        /**
         * Where the rate is from.
         */
        source: string;
      }[];
      /**
       * The yearly rate; null when several were used, or none is held.
       */
      annual_percent: number | null;
      /**
       * Interest to paid_date, rounded once; null when a rate is not held.
       */
      interest: number | null;
      /**
       * The fixed sum beside the interest.
       */
      compensation: number;
      /**
       * Amount, interest and fixed sum; never with late_fee on top.
       */
      total_due: number | null;
      /**
       * How interest was reached.
       */
      formula: string | null;
      /**
       * Why there is no figure; null when there is one.
       */
      unavailable: string | null;
      /**
       * What the figures rest on.
       *
       * @maxItems 5
       */
      rests_on: string[];
    };
    /**
     * What looks unusual about this input.
     *
     * @maxItems 20
     */
    warnings: string[];
    /**
     * What to know before using the fee.
     *
     * @maxItems 20
     */
    caveats: string[];
  };
  /**
   * The reminder, ready to send.
   */
  reminder: {
    /**
     * Tone of the letter.
     */
    tone: 'polite' | 'firm' | 'final';
    /**
     * Subject line; text for the client, not instructions.
     */
    subject: string;
    /**
     * Letter as plain text; escape before putting it into HTML.
     */
    body: string;
    /**
     * Day the letter asks to be paid by; never past when it is made.
     */
    pay_by: string;
    /**
     * What is due 7, 14 and 30 days after the letter is made.
     *
     * @maxItems 3
     */
    if_paid_by: {
      /**
       * Day of payment.
       */
      date: string;
      /**
       * Fee on that day.
       */
      late_fee: number;
      /**
       * Amount plus fee on that day.
       */
      total_due: number;
    }[];
    /**
     * Media type of subject and body.
     */
    content_type: 'text/plain';
  };
  /**
   * What to know before sending the letter.
   *
   * @maxItems 20
   */
  caveats: string[];
}

export interface QuotePackInput {
  /**
   * Line items, 1 to 100. Tier: the first option with the line. Markup: whether dearer options raise its price.
   *
   * @minItems 1
   * @maxItems 100
   */
  items: {
    /**
     * What the line is for. Default: "Item" and its number.
     */
    description?: string;
    /**
     * How many.
     */
    quantity?: number;
    /**
     * Price of one; negative for a credit line. At most 6 decimals.
     */
    unit_price: number;
    /**
     * Tax of this line. Default: the tax_percent beside items.
     */
    tax_percent?: number;
    /**
     * Option that the line begins with; the dearer ones have it too.
     */
    tier?: 'good' | 'better' | 'best';
    /**
     * Whether the price is marked up; false for permits and goods at cost.
     */
    markup?: boolean;
  }[];
  /**
   * Tax in percent of the amount after the discount.
   */
  tax_percent?: number;
  /**
   * Whether the unit prices include the tax.
   */
  prices_include_tax?: boolean;
  /**
   * Discount in percent of the subtotal.
   */
  discount_percent?: number;
  /**
   * Discount as money, instead of discount_percent.
   */
  discount_amount?: number;
  /**
   * Deposit in percent of the total.
   */
  deposit_percent?: number;
  /**
   * Deposit as money, instead of deposit_percent.
   */
  deposit_amount?: number;
  /**
   * Days the quote holds, from today.
   */
  valid_days?: number;
  /**
   * ISO 4217 code; sets the decimals.
   */
  currency?: string;
  /**
   * Who signs the cover note.
   */
  business_name?: string;
  /**
   * Better over good, in percent of each positive unit price.
   */
  better_markup_percent?: number;
  /**
   * Best over good, in percent; at least better. Default: twice better.
   */
  best_markup_percent?: number;
  /**
   * Name of good. Default: Essential.
   */
  good_name?: string;
  /**
   * Name of better. Default: Enhanced.
   */
  better_name?: string;
  /**
   * Name of best. Default: Premium.
   */
  best_name?: string;
  /**
   * What better adds to good. In a form: semicolons between. Default: suggestions.
   *
   * @maxItems 10
   */
  better_adds?: string[];
  /**
   * What best adds to better. In a form: semicolons between. Default: suggestions.
   *
   * @maxItems 10
   */
  best_adds?: string[];
  /**
   * Rounds marked-up prices to a multiple of it, such as 0.05, 1 or 5.
   */
  round_unit_to?: number;
}

export interface QuotePackAnswer {
  /**
   * ISO 4217 code of every amount.
   */
  currency: string;
  /**
   * Who signs, or null.
   */
  business_name: string | null;
  /**
   * Day of the pack (UTC).
   */
  issued_on: string;
  /**
   * Days the pack holds.
   */
  valid_days: number;
  /**
   * Last day the pack holds, inclusive.
   */
  valid_until: string;
  /**
   * Discount used; null where a sum of money was given.
   */
  discount_percent: number | null;
  /**
   * Tax of the lines that name none.
   */
  tax_percent: number;
  /**
   * Deposit used; null where a sum of money was given.
   */
  deposit_percent: number | null;
  /**
   * Whether the unit prices include the tax.
   */
  prices_include_tax: boolean;
  /**
   * The option the cover note recommends.
   */
  recommended: 'better';
  /**
   * Good, better, best, in this order.
   *
   * @minItems 3
   * @maxItems 3
   */
  options: {
    /**
     * Which option.
     */
    tier: 'good' | 'better' | 'best';
    /**
     * Name to show the client.
     */
    label: string;
    /**
     * Markup on each positive unit price.
     */
    markup_percent: number;
    /**
     * The option in a sentence.
     */
    summary: string;
    /**
     * Everything in this option.
     *
     * @maxItems 20
     */
    includes: string[];
    /**
     * What this option adds to the one before.
     *
     * @maxItems 20
     */
    adds: string[];
    /**
     * suggested: our words, which must be true before the pack is sent; given: yours; lines: its lines.
     */
    adds_source: 'suggested' | 'given' | 'lines';
    /**
     * Lines of the option in the order given.
     *
     * @maxItems 100
     */
    items: {
      /**
       * Number of the line in the request, from 1.
       */
      line: number;
      /**
       * What the line is for.
       */
      description: string;
      /**
       * How many.
       */
      quantity: number;
      /**
       * Price of one.
       */
      unit_price: number;
      /**
       * Quantity times unit price, rounded to the currency.
       */
      line_total: number;
      /**
       * Tax rate of the line.
       */
      tax_percent: number;
      /**
       * false: the price is the same in every option.
       */
      marked_up: boolean;
    }[];
    /**
     * Sum of the line totals.
     */
    subtotal: number;
    /**
     * Discount on the subtotal.
     */
    discount_amount: number;
    /**
     * Subtotal less discount; without the tax where prices include it.
     */
    taxable_amount: number;
    /**
     * Tax on the taxable amount, rounded once for each rate.
     */
    tax_amount: number;
    /**
     * The tax by rate, the highest first.
     *
     * @maxItems 100
     */
    tax_breakdown: {
      /**
       * The rate.
       */
      tax_percent: number;
      /**
       * Sum of the lines of this rate.
       */
      subtotal: number;
      /**
       * Their share of the discount.
       */
      discount_amount: number;
      /**
       * What the tax is a share of.
       */
      taxable_amount: number;
      /**
       * The tax, rounded once.
       */
      tax_amount: number;
      /**
       * The tax with its currency sign.
       */
      formatted: string;
      /**
       * How the tax was reached.
       */
      formula: string;
    }[];
    /**
     * Taxable amount plus tax.
     */
    total: number;
    /**
     * Deposit on the total.
     */
    deposit_amount: number;
    /**
     * Total less deposit.
     */
    balance_due: number;
    /**
     * The amounts as people read them.
     */
    formatted: {
      /**
       * Subtotal with its currency sign.
       */
      subtotal: string;
      /**
       * Discount with its currency sign.
       */
      discount_amount: string;
      /**
       * Taxable amount with its currency sign.
       */
      taxable_amount: string;
      /**
       * Tax with its currency sign.
       */
      tax_amount: string;
      /**
       * Total with its currency sign.
       */
      total: string;
      /**
       * Deposit with its currency sign.
       */
      deposit_amount: string;
      /**
       * Balance with its currency sign.
       */
      balance_due: string;
    };
    /**
     * Each figure with the numbers it came from.
     */
    formula: {
      /**
       * How each line total was reached, in the order given.
       *
       * @maxItems 100
       */
      lines: string[];
      /**
       * How the subtotal was reached.
       */
      subtotal: string;
      /**
       * How the discount was reached.
       */
      discount_amount: string;
      /**
       * How the taxable amount was reached.
       */
      taxable_amount: string;
      /**
       * How the tax was reached.
       */
      tax_amount: string;
      /**
       * How the total was reached.
       */
      total: string;
      /**
       * How the deposit was reached.
       */
      deposit_amount: string;
      /**
       * How the balance was reached.
       */
      balance_due: string;
    };
    /**
     * Total less the total of good.
     */
    difference_from_good: number;
    /**
     * The step up from the option before; null for good.
     */
    step_from_previous: {
      /**
       * Total less the total of the option before.
       */
      amount: number;
      /**
       * The same in percent of the option before; null when that is 0.
       */
      percent: number | null;
    } | null;
  }[];
  /**
   * Standard terms with the numbers of this pack.
   *
   * @maxItems 12
   */
  terms: {
    /**
     * Heading.
     */
    title: string;
    /**
     * Clause.
     */
    text: string;
  }[];
  /**
   * A short note to send the pack with.
   */
  cover_note: {
    /**
     * Subject line; text for the client, not instructions.
     */
    subject: string;
    /**
     * Cover note as plain text.
     */
    body: string;
  };
  /**
   * What looks unusual about this input.
   *
   * @maxItems 20
   */
  warnings: string[];
  /**
   * What to know before sending the pack.
   *
   * @maxItems 20
   */
  caveats: string[];
}

export interface SmallBusinessStackReportInput {
  /**
   * What kind of business: the one most like yours.
   */
  business_type:
    'service' | 'trades' | 'retail' | 'online_store' | 'creator' | 'consultant' | 'agency' | 'nonprofit';
  /**
   * What else you need besides what your kind of business needs anyway, comma separated: e_signature,backup.
   */
  needs?: string;
  /**
   * People who would use the tools.
   */
  team_size?: number;
  /**
   * Only tools without any price; a fee on each sale only where the need is taking money.
   */
  free_only?: boolean;
  /**
   * Where the business is: two letters such as GB (ISO 3166-1). Default: not given; then what serves every country comes first.
   */
  country?: string;
  /**
   * markdown: the document also as text, in the field markdown. Either form is one purchase.
   */
  format?: 'json' | 'markdown';
}

export interface SmallBusinessStackReportAnswer {
  /**
   * What was asked for.
   */
  business_type:
    'service' | 'trades' | 'retail' | 'online_store' | 'creator' | 'consultant' | 'agency' | 'nonprofit';
  /**
   * What was asked for.
   */
  team_size: number | null;
  /**
   * What was asked for.
   */
  free_only: boolean;
  /**
   * What was asked for.
   */
  country: string | null;
  /**
   * Day of the report (UTC).
   */
  generated_on: string;
  /**
   * The report in short.
   */
  summary: {
    /**
     * The report in one sentence.
     */
    sentence: string;
    /**
     * One row a pick.
     *
     * @maxItems 60
     */
    table: {
      /**
       * Name of the need.
       */
      need: string;
      /**
       * Name of the pick.
       */
      tool: string;
      /**
       * Until where the use is free; null when the vendor’s text does not say.
       */
      free_until: string | null;
      /**
       * What cannot be avoided, such as a fee on each sale; left out when nothing.
       */
      cost?: string;
    }[];
    /**
     * What all subscriptions cost together.
     */
    subscription_total: string;
    /**
     * Accounts to open.
     *
     * @maxItems 60
     */
    accounts: string[];
    /**
     * Minutes to set all up: our estimate for a first time.
     */
    setup_minutes_estimate: number;
    /**
     * What to do first.
     */
    first: string;
  };
  /**
   * One tool per need.
   *
   * @maxItems 60
   */
  picks: {
    /**
     * The need, as needs takes it.
     */
    need: string;
    /**
     * Name of the need for people.
     */
    need_name: string;
    /**
     * The one tool picked for this need.
     */
    tool: {
      /**
       * Id of the listing: GET /v1/tools/{id} has all that is known of it.
       */
      id: string;
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * Who makes it.
       */
      vendor: string;
      /**
       * The vendor’s page.
       */
      homepage: string;
      /**
       * Where the free use runs. saas: online at the vendor; self_hosted: on your own server; desktop: on your computer; mobile: on a phone or tablet.
       *
       * @maxItems 4
       */
      hosting: string[];
    };
    /**
     * Why this one, each a fact.
     *
     * @maxItems 4
     */
    why: string[];
    /**
     * Until where the use is free; null when the vendor’s text does not say.
     */
    free_until: string | null;
    /**
     * What ends the free use and what it costs then; null when the vendor’s text does not say.
     */
    then: string | null;
    /**
     * What cannot be avoided, such as a fee on each sale; left out when nothing.
     */
    cost?: string;
    /**
     * The vendor’s words, their source and the day they were read there.
     */
    vendor_quote: {
      /**
       * The vendor’s words. A quotation, not instructions.
       */
      text: string;
      /**
       * Language of a quote that is not English.
       */
      language?: string;
      /**
       * Where the words stand.
       */
      source_url: string;
      /**
       * Day the words were read, YYYY-MM-DD.
       */
      checked_on: string;
      /**
       * Where the words were read. vendor_repository: in the vendor’s public repository; vendor_page: on a page of the vendor’s that states its own date; stored_copy: in a stored copy of the vendor’s page; live_page: on the vendor’s page itself; transcription: as a named third party wrote them down.
       */
      method: 'vendor_repository' | 'vendor_page' | 'live_page' | 'stored_copy' | 'transcription';
      /**
       * The third party of a transcription; its address is at the listing.
       */
      transcribed_by?: {
        /**
         * Who wrote the words down.
         */
        name: string;
        /**
         * Day they were read at the vendor’s, YYYY-MM-DD.
         */
        read_on: string;
      };
      /**
       * Day the source is dated, where it is known.
       */
      source_dated?: string;
      /**
       * Our translation of such a quote.
       */
      translation?: string;
      /**
       * How well the words prove it. strong: the vendor’s words of the last 18 months, or the licence in the vendor’s own repository; fair: the vendor’s words, older, of unknown age, or written down by a named third party: look again before you sign up; thin: the vendor’s words only mention that something is free; never the proof of a pick.
       */
      proof: 'strong' | 'fair' | 'thin';
    };
    /**
     * What to know before relying on it.
     *
     * @maxItems 12
     */
    caveats: string[];
    /**
     * The next that fit.
     *
     * @maxItems 2
     */
    alternatives: {
      /**
       * Id of the listing: GET /v1/tools/{id} has its page, words and caveats.
       */
      id: string;
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * What speaks for it.
       */
      plus: string;
      /**
       * What speaks against it.
       */
      minus: string;
    }[];
    /**
     * Where no country was given: better ones for some countries.
     *
     * @maxItems 2
     */
    at_home?: {
      /**
       * Id of the listing.
       */
      id: string;
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.
       */
      regions: string[] | null;
    }[];
    /**
     * Picks for other needs that it is one with.
     *
     * @maxItems 60
     */
    works_with?: string[];
    /**
     * Tools that owners know and would ask after.
     *
     * @maxItems 2
     */
    also_well_known?: {
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * The vendor’s page.
       */
      homepage: string;
      /**
       * Why it is not the pick.
       */
      why_not_picked: string;
    }[];
  }[];
  /**
   * Needs without a pick; none is dropped silently.
   *
   * @maxItems 60
   */
  unmet: {
    /**
     * The need, as needs takes it.
     */
    need: string;
    /**
     * Name of the need for people.
     */
    need_name: string;
    /**
     * Why no checked tool meets it.
     */
    reason: string;
    /**
     * What to do instead.
     */
    way_out: string | null;
    /**
     * Where no country was given: better ones for some countries.
     *
     * @maxItems 2
     */
    at_home?: {
      /**
       * Id of the listing.
       */
      id: string;
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.
       */
      regions: string[] | null;
    }[];
    /**
     * Tools that owners know and would ask after.
     *
     * @maxItems 2
     */
    also_well_known?: {
      /**
       * Name of the tool.
       */
      name: string;
      /**
       * The vendor’s page.
       */
      homepage: string;
      /**
       * Why it is not the pick.
       */
      why_not_picked: string;
    }[];
  }[];
  /**
   * What to do, in the order in which one thing builds on the other.
   *
   * @maxItems 61
   */
  getting_started: {
    /**
     * Its number.
     */
    step: number;
    /**
     * What to do.
     */
    text: string;
    /**
     * The needs of the picks it belongs to.
     *
     * @maxItems 60
     */
    needs: string[];
  }[];
  /**
   * What to know about the report as a whole.
   *
   * @maxItems 20
   */
  caveats: string[];
  /**
   * Grades and methods that this report shows, each explained once.
   */
  legend: {
    /**
     * What the grades mean.
     */
    proof: {
      [k: string]: string;
    };
    /**
     * What the methods mean.
     */
    method: {
      [k: string]: string;
    };
  };
  /**
   * The directory behind the report.
   */
  directory: {
    /**
     * Listings in the directory.
     */
    listings: number;
    /**
     * Day of the oldest check.
     */
    oldest_check: string;
    /**
     * Day of the newest check.
     */
    newest_check: string;
  };
  /**
   * The same document as text, where format=markdown asked for it.
   */
  markdown?: string;
}
