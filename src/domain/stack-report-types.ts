// The directory as the report sees it. Listing and report are the wire documents themselves, hence snake_case.

export const BUSINESS_TYPES = [
  'service',
  'trades',
  'retail',
  'online_store',
  'creator',
  'consultant',
  'agency',
  'nonprofit',
] as const;
export type BusinessType = (typeof BUSINESS_TYPES)[number];

export type Hosting = 'saas' | 'self_hosted' | 'desktop' | 'mobile';

export const CHECK_METHODS = [
  'vendor_repository',
  'vendor_page',
  'live_page',
  'stored_copy',
  'transcription',
] as const;
export type CheckMethod = (typeof CHECK_METHODS)[number];

/** What has to be there before a tool can be used. */
export const REQUIREMENTS = [
  'server',
  'web_hosting',
  'wordpress',
  'woocommerce',
  'online_shop',
  'programmer',
  'phone_provider',
  'other_program',
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export type ToolCheck = {
  readonly quote: string;
  readonly language: string;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: CheckMethod;
  readonly source_dated: string | null;
};

export type Tool = {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly homepage: string;
  readonly categories: readonly string[];
  readonly pricing: 'free' | 'freemium' | 'open_source';
  readonly hosting: readonly Hosting[];
  readonly free_limits: string | null;
  readonly team_size_max: number | null;
  readonly good_for: readonly BusinessType[];
  readonly regions: readonly string[] | null;
  readonly licence: string | null;
  readonly caveats: readonly string[];
  readonly check: ToolCheck;
};

/** What a tool is within one category when it is not plainly what the category is for. */
type Kind = {
  readonly label: string;
  readonly role: 'pick' | 'alternative' | 'never';
  readonly only_for: readonly BusinessType[] | null;
  readonly team_max: number | null;
};

export type Weakness = 'undated_commit' | 'old_text' | 'limits_unproven';

/** One listing in one category, with the editor's judgement that the ranking needs. */
export type Candidate = {
  readonly tool: Tool;
  readonly isMain: boolean;
  readonly kind: Kind | null;
  readonly weak: Weakness | null;
  readonly proves: 'limit' | 'price' | 'licence' | 'mention';
  /** Where it can be used without paying; a paid cloud is not among them. */
  readonly freeOn: readonly Hosting[];
  readonly developerOnly: boolean;
  /** A platform that has to be there first, such as "a WordPress site". */
  readonly requires: string | null;
  readonly tightLimit: boolean;
  readonly usableForGood: boolean;
};

type NeedCategory = { readonly slug: string; readonly name: string; readonly note: string | null };

export type ToolDirectory = {
  readonly listings: readonly Tool[];
  readonly candidates: (category: string) => readonly Candidate[];
  readonly candidate: (category: string, id: string) => Candidate | null;
  readonly describe: (category: string) => NeedCategory;
  readonly needsOf: (type: BusinessType) => {
    readonly always: readonly string[];
    readonly forTeams: readonly string[];
  };
  readonly firstChecked: string;
  readonly lastChecked: string;
};

/** `needs` are category slugs in addition to the business type's own; `teamSize` null means not given. */
export type StackRequest = {
  readonly businessType: BusinessType;
  readonly needs: readonly string[];
  readonly teamSize: number | null;
  readonly freeOnly: boolean;
  readonly generatedOn: string;
};

export type VendorQuote = {
  readonly text: string;
  readonly language: string;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: CheckMethod;
  readonly source_dated: string | null;
};

type StackAlternative = {
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly pricing: Tool['pricing'];
  readonly why: string;
  readonly vendor_quote: VendorQuote;
};

export type StackPick = {
  readonly need: string;
  readonly need_name: string;
  readonly tool: Pick<
    Tool,
    | 'id'
    | 'name'
    | 'vendor'
    | 'homepage'
    | 'categories'
    | 'pricing'
    | 'hosting'
    | 'free_limits'
    | 'team_size_max'
    | 'regions'
    | 'licence'
  >;
  readonly vendor_quote: VendorQuote;
  readonly why: readonly string[];
  readonly caveats: readonly string[];
  readonly alternatives: readonly StackAlternative[];
  readonly also_covers: readonly string[];
};

export type StackReport = {
  readonly business_type: BusinessType;
  readonly team_size: number | null;
  readonly free_only: boolean;
  readonly generated_on: string;
  readonly picks: readonly StackPick[];
  readonly unmet: readonly { readonly need: string; readonly reason: string }[];
  readonly getting_started: readonly string[];
  readonly caveats: readonly string[];
  readonly directory: {
    readonly listings: number;
    readonly oldest_check: string;
    readonly newest_check: string;
  };
};

export type StackResult =
  | { readonly ok: true; readonly report: StackReport }
  | { readonly ok: false; readonly reason: string };
