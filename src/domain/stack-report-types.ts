// The directory as the report uses it. Listings are the wire documents themselves, hence snake_case.

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

/** How well the vendor's words support a pick; see `proofOf`. */
export const PROOFS = ['strong', 'fair', 'thin'] as const;
export type Proof = (typeof PROOFS)[number];

/** What an owner must have before a tool can be used. */
export const REQUIREMENTS = [
  'server',
  'web_hosting',
  'wordpress',
  'woocommerce',
  'online_shop',
  'open_site',
  'programmer',
  'phone_provider',
  'other_program',
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export type ToolCheck = {
  readonly quote: string;
  readonly language: string;
  readonly quote_translation: { readonly text: string; readonly language: 'en' } | null;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: CheckMethod;
  readonly transcribed_by: { readonly name: string; readonly url: string; readonly read_on: string } | null;
  readonly source_dated: string | null;
};

/**
 * What a tool costs. `amount` is a decimal string; `amount`, `currency`, `per` and `period` are either all present or
 * all absent.
 */
export type Price = {
  readonly text: string;
  readonly source_url: string;
  readonly plan: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly per: 'user' | 'account' | 'location' | null;
  readonly period: 'month' | 'year' | null;
  /** If the tool is priced per unit, the number of units in the first paid plan. */
  readonly times?: number | undefined;
  /** The most people that the plan serves; a larger team needs another plan. */
  readonly people?: number | undefined;
  readonly source_dated: string | null;
};

export type Tool = {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly homepage: string;
  readonly categories: readonly string[];
  readonly pricing: 'free' | 'freemium' | 'open_source';
  /** The places where the free version runs. */
  readonly hosting: readonly Hosting[];
  readonly requires: readonly Requirement[];
  readonly free_limits: string | null;
  readonly limits_by_need: Readonly<Record<string, string>>;
  /** The cost once the free use ends. It has figures only if the vendor's own words give them. */
  readonly then: Price | null;
  /** How the owner exports the data, as a sentence. */
  readonly leave: string | null;
  readonly cost: { readonly text: string; readonly on: 'sales' | 'use' } | null;
  readonly team_size_max: number | null;
  readonly regions: readonly string[] | null;
  readonly licence: string | null;
  readonly caveats: readonly string[];
  readonly check: ToolCheck;
};

/** The editor's notes on a tool. */
export type ToolNotes = {
  readonly proves: 'limit' | 'price' | 'licence' | 'mention';
  readonly seats_unlimited: boolean;
  /** Whether each person opens a separate account. */
  readonly own_accounts: boolean;
  readonly account: string | null;
  /** The owner's account with another firm that pays the money out. */
  readonly paid_into: string | null;
  /** As `paid_into`, for payments outside the free version. */
  readonly extra_paid_into: string | null;
  /** A step that takes days before the account can be opened, as a sentence. */
  readonly first_step: string | null;
  readonly one_need_only: boolean;
  /** Other words of the vendor that our figures are based on. */
  readonly also_read: readonly {
    readonly words: string;
    readonly source_url: string;
    /** Needs whose function the words show. */
    readonly needs?: readonly string[] | undefined;
  }[];
  /** Whether the shop allows visitor counters and chat windows of other vendors. */
  readonly open_site: boolean;
};

/** The conditions under which an entry applies; absent conditions hold for everybody. */
export type Conditions = {
  readonly for?: readonly BusinessType[] | undefined;
  readonly not_for?: readonly BusinessType[] | undefined;
  readonly teams?: readonly [number, number] | undefined;
};

/** A firm that processes payments, and the countries that it does not serve. */
export type Processor = {
  readonly name: string;
  readonly not_in: readonly string[];
  /**
   * Whether this is a firm of certain countries, which is named only if an international firm does not serve the
   * country.
   */
  readonly at_home: boolean;
};

/** A tool on the shelf of a need, with the conditions of its listing and of the shelf merged. */
export type ShelfTool = Conditions & {
  readonly reason: string;
  readonly tool: Tool;
  readonly notes: ToolNotes;
  /** The purpose that the tool is set up for; follows the word "to". */
  readonly purpose: string | null;
  readonly minus: string | null;
  /** Steps once the account is open, instead of the steps of the need. */
  readonly first_hour?: readonly string[] | undefined;
  readonly regions: readonly string[] | null;
  readonly not_regions: readonly string[];
  /** Countries that the vendor does not serve, or that block it; shown only to callers from there. */
  readonly closed_to: readonly string[];
  /** Firms that process its payments, each with the countries that it does not serve. */
  readonly processors: readonly Processor[];
  /** Maximum number of people on the free plan; null if the vendor does not say. */
  readonly seats: number | 'unlimited' | null;
  /** Maximum size of a business that the tool is chosen for, however many accounts it has. */
  readonly max_team: number | null;
  readonly requires: readonly Requirement[];
  /** Countries where only approved tools are legal for the need and this tool is approved. */
  readonly approved_in: readonly string[];
  /** Whether the tool comes first because the caller's trade uses it. */
  readonly isOfTrade?: boolean;
};

/** `teams` is the smallest and largest business, in people, for which the trade uses the tool. */
type TradeTool = Pick<Conditions, 'teams'> & {
  readonly id: string;
  readonly reason: string;
  /** What the trade uses the tool for, if that differs from other businesses; follows the word "to". */
  readonly purpose?: string;
  readonly first_hour?: readonly string[];
};

/** The table's facts about the trade of a business. */
export type Trade = {
  readonly id: string;
  /** The usual name: "Nail salon". */
  readonly name: string;
  readonly business_type: BusinessType;
  /** By need, the tools of the trade in order of choice, each with a reason in one sentence. */
  readonly tools: Readonly<Partial<Record<string, readonly TradeTool[]>>>;
  /** By need, what this trade does in the first hour with any tool. */
  readonly first_hour?: Readonly<Partial<Record<string, readonly string[]>>>;
  /** By need, what this trade should know about any tool. */
  readonly notes?: Readonly<Partial<Record<string, string>>>;
  /** As `notes`, for some countries only. */
  readonly notes_in?: readonly {
    readonly need: string;
    readonly regions: readonly string[];
    readonly text: string;
  }[];
  /** By need, the name that this trade uses for it: "Drawing plans (CAD)". */
  readonly need_names?: Readonly<Partial<Record<string, string>>>;
  /** By need, what to do if no tool is picked. */
  readonly ways_out?: Readonly<Partial<Record<string, string>>>;
  /** Needs of the business type that the trade does not have. */
  readonly without?: readonly string[];
  /** Needs that only tools of the trade can meet. */
  readonly own_tools_only?: readonly string[];
  /** Whether the owner is an accountant, to whom other businesses are referred. */
  readonly is_adviser?: boolean;
  /** Whether client documents must not be kept in private accounts. */
  readonly confidential?: boolean;
  /**
   * The team size from which a free tool is the wrong answer, and the reason. `need` is the need that it concerns, if
   * that is not the trade's own software.
   */
  readonly free_is_wrong?: { readonly from_team: number; readonly text: string; readonly need?: string };
};

/** A tool that is worth its price where a free one would be the wrong answer. */
export type PaidTool = Omit<Conditions, 'for' | 'not_for'> & {
  /** The id of the tool in the directory, if it is listed. The price comes only from the listing. */
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly need: string;
  readonly why: string;
  readonly regions?: readonly string[] | undefined;
  /** The trades that the tool is made for; absent if it suits every business of a kind. */
  readonly trades?: readonly string[] | undefined;
};

/** Two needs whose picks work together only if one vendor offers both; {a} and {b} are placeholders for the picks. */
export type Gap = { readonly needs: readonly [a: string, b: string]; readonly text: string };

/** The trade that a caller wrote, and the trade in the table that it names or resembles; null if none is near. */
export type AskedTrade = {
  readonly asked: string;
  readonly match: { readonly trade: Trade; readonly how: 'named' | 'nearest' } | null;
};

/** Countries, for some business types or for all. */
type Where = Conditions & { readonly regions: readonly string[] };

/** Legal rules for a need that apply to every tool. */
export type Law = {
  /** Where only approved tools may be picked. */
  readonly bars: readonly Where[];
  readonly way_out?: string | undefined;
  /** By country, what to do there instead. */
  readonly ways_out: Readonly<Partial<Record<string, string>>>;
  readonly notes: readonly (Where & { readonly text: string })[];
  /** The note for a request without a country. */
  readonly unplaced: string | null;
};

/** An entry that takes the tool picked for another need. */
export type SameAs = Conditions & { readonly same_as: string; readonly reason: string };

export type WellKnown = {
  readonly name: string;
  readonly homepage: string;
  readonly why_not_picked: string;
};

/** What a business needs, with the editor's shelf for it. */
export type Need = {
  readonly slug: string;
  readonly name: string;
  /** Follows the word "to", as in "to build your website". */
  readonly purpose: string;
  readonly note: string | null;
  readonly seats: 'owner' | 'staff';
  readonly seats_for: Readonly<Partial<Record<BusinessType, 'owner' | 'staff'>>>;
  readonly takes_money: boolean;
  /** Set if each user costs extra once the free use ends. */
  readonly paid_seats?: 'staff' | undefined;
  readonly setup_minutes: number;
  /** Steps once the account is open, in order. */
  readonly first_hour: readonly string[];
  /** What some business types should know about any tool for it, if their trade is unknown. */
  readonly notes_for: Readonly<Partial<Record<BusinessType, string>>>;
  readonly after: readonly string[];
  readonly way_out: string | null;
  /** What to do if client documents must not be kept in private accounts. */
  readonly way_out_confidential: string | null;
  readonly ways_out: Readonly<Partial<Record<BusinessType, string>>>;
  /** By country, what to do there; used before the general advice. */
  readonly ways_out_in: readonly (Where & { readonly text: string })[];
  /** The number of people from which a business has the need; a smaller one has it only on request. */
  readonly from_team: number;
  readonly law: Law;
  readonly shelf: readonly (ShelfTool | SameAs)[];
  /** Whether this need is decided after the needs whose picks meet the requirements of its tools. */
  readonly later: boolean;
  readonly also_well_known: readonly (WellKnown &
    Conditions & {
      readonly regions?: readonly string[] | undefined;
      readonly not_regions?: readonly string[] | undefined;
    })[];
};

/**
 * A paid plan: the number of people that it covers (null for any number), its monthly price, and the price of each
 * further person.
 */
export type TeamPlan = {
  readonly plan: string | null;
  readonly people: number | null;
  readonly amount: string;
  readonly more: string | null;
};

/** What the law or custom of a country or trade demands, whichever tools are picked. */
export type Must = Conditions & {
  readonly text: string;
  /** The page of an authority that says so. */
  readonly source_url?: string | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly trades?: readonly string[] | undefined;
  readonly not_trades?: readonly string[] | undefined;
};

export type ToolDirectory = {
  readonly listings: readonly { readonly id: string }[];
  readonly need: (slug: string) => Need;
  /** A free listing of a need as a place on its shelf, even if it is not on the shelf; null for any other id. */
  readonly place: (slug: string, id: string) => ShelfTool | null;
  readonly needsOf: (type: BusinessType) => {
    readonly always: readonly string[];
    readonly forTeams: readonly string[];
  };
  readonly gaps: readonly Gap[];
  readonly musts: readonly Must[];
  /** The price of a tool of any id; null if it is unknown. */
  readonly priceOf: (id: string) => Price | null;
  /** The listing of a tool of any id, free or paid; null if it has none. */
  readonly listingOf: (id: string) => Pick<Tool, 'categories' | 'free_limits' | 'caveats'> | null;
  /** The paid plans of a tool for teams, smallest first. */
  readonly plansOf: (id: string) => readonly TeamPlan[];
  readonly firstChecked: string;
  readonly lastChecked: string;
};
