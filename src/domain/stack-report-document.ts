import type { BusinessType, CheckMethod, Hosting, Proof, WellKnown } from './stack-report-types.ts';

// The report is the wire document itself, hence snake_case.

/** `needs` are category slugs in addition to the business type's own; null means not given. */
export type StackRequest = {
  readonly businessType: BusinessType;
  readonly needs: readonly string[];
  readonly teamSize: number | null;
  readonly freeOnly: boolean;
  readonly country: string | null;
  readonly generatedOn: string;
};

/** Fields that do not apply are left out: English text has no translation, the vendor's own no transcriber. */
export type VendorQuote = {
  readonly text: string;
  readonly language?: string;
  readonly translation?: string;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: CheckMethod;
  readonly transcribed_by?: { readonly name: string; readonly read_on: string };
  readonly source_dated?: string;
  readonly proof: Proof;
};

export type StackAlternative = {
  readonly id: string;
  readonly name: string;
  readonly plus: string;
  readonly minus: string;
};

export type AtHome = {
  readonly id: string;
  readonly name: string;
  readonly regions: readonly string[];
};

export type StackPick = {
  readonly need: string;
  readonly need_name: string;
  readonly tool: {
    readonly id: string;
    readonly name: string;
    readonly vendor: string;
    readonly homepage: string;
    readonly hosting: readonly Hosting[];
  };
  readonly why: readonly string[];
  readonly free_until: string | null;
  readonly then: string | null;
  readonly cost?: string;
  readonly vendor_quote: VendorQuote;
  readonly caveats: readonly string[];
  readonly alternatives: readonly StackAlternative[];
  /** Tools for some countries that would be the pick there. */
  readonly at_home?: readonly AtHome[];
  readonly works_with?: readonly string[];
  readonly also_well_known?: readonly WellKnown[];
};

export type Unmet = {
  readonly need: string;
  readonly need_name: string;
  readonly reason: string;
  readonly way_out: string | null;
  readonly at_home?: readonly AtHome[];
  readonly also_well_known?: readonly WellKnown[];
};

export type Step = { readonly step: number; readonly text: string; readonly needs: readonly string[] };

export type StackSummary = {
  readonly sentence: string;
  readonly table: readonly {
    readonly need: string;
    readonly tool: string;
    readonly free_until: string | null;
    readonly cost?: string;
  }[];
  readonly subscription_total: string;
  readonly accounts: readonly string[];
  readonly setup_minutes_estimate: number;
  readonly first: string;
};

export type StackReport = {
  readonly business_type: BusinessType;
  readonly team_size: number | null;
  readonly free_only: boolean;
  readonly country: string | null;
  readonly generated_on: string;
  readonly summary: StackSummary;
  readonly picks: readonly StackPick[];
  readonly unmet: readonly Unmet[];
  readonly getting_started: readonly Step[];
  readonly caveats: readonly string[];
  readonly legend: {
    readonly proof: Readonly<Partial<Record<Proof, string>>>;
    readonly method: Readonly<Partial<Record<CheckMethod, string>>>;
  };
  readonly directory: {
    readonly listings: number;
    readonly oldest_check: string;
    readonly newest_check: string;
  };
};

export type StackResult =
  | { readonly ok: true; readonly report: StackReport }
  | { readonly ok: false; readonly reason: string };
