// The directory as the report sees it. Listings are the wire documents themselves, hence snake_case.

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

/** How well the vendor's words carry a pick; `proofOf` says which has which. */
export const PROOFS = ['strong', 'fair', 'thin'] as const;
export type Proof = (typeof PROOFS)[number];

/** What has to be there before a tool can be used. */
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

/** What a tool costs. `amount` is a decimal string; it, `currency`, `per` and `period` are given together or not at all. */
export type Price = {
  readonly text: string;
  readonly source_url: string;
  readonly plan: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly per: 'user' | 'account' | 'location' | null;
  readonly period: 'month' | 'year' | null;
  /** How many the first paid use has of what is paid by the piece. */
  readonly times?: number | undefined;
  /** The most people that it serves; a larger team needs another plan. */
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
  /** Where the free use runs. */
  readonly hosting: readonly Hosting[];
  readonly requires: readonly Requirement[];
  readonly free_limits: string | null;
  readonly limits_by_need: Readonly<Record<string, string>>;
  /** What it costs once the free use ends; figures only in the vendor's words. */
  readonly then: Price | null;
  /** How the owner gets the data out again, as a sentence. */
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
  /** Each person opens an account of their own. */
  readonly own_accounts: boolean;
  readonly account: string | null;
  /** The owner's own account with another firm through which the money comes. */
  readonly paid_into: string | null;
  /** The same for payments that are not part of the free version. */
  readonly extra_paid_into: string | null;
  /** A step that takes days before the account can be opened, as a sentence. */
  readonly first_step: string | null;
  readonly one_need_only: boolean;
  /** Other words of the vendor that our figures rest on. */
  readonly also_read: readonly { readonly words: string; readonly source_url: string }[];
  /** A shop that allows visitor counters and chat windows of other vendors. */
  readonly open_site: boolean;
};

/** When an entry counts; absent conditions hold for everybody. */
export type Conditions = {
  readonly for?: readonly BusinessType[] | undefined;
  readonly not_for?: readonly BusinessType[] | undefined;
  readonly teams?: readonly [number, number] | undefined;
};

/** A firm through which money comes, and where it does not. */
export type Processor = {
  readonly name: string;
  readonly not_in: readonly string[];
  /** A firm of certain countries, named where not all international firms serve. */
  readonly at_home: boolean;
};

/** A tool in its place on the shelf of a need, with its listing's conditions and the shelf's own as one. */
export type ShelfTool = Conditions & {
  readonly reason: string;
  readonly tool: Tool;
  readonly notes: ToolNotes;
  /** What the tool is set up for; reads after "to". */
  readonly purpose: string | null;
  readonly minus: string | null;
  /** What to do once the account is there, in place of the steps of the need. */
  readonly first_hour?: readonly string[] | undefined;
  readonly regions: readonly string[] | null;
  readonly not_regions: readonly string[];
  /** Countries that the vendor does not serve, or where it is blocked; shown only to askers from there. */
  readonly closed_to: readonly string[];
  /** Firms through which it takes money, each with the countries that it does not serve. */
  readonly processors: readonly Processor[];
  /** People whom the free use allows; null when the vendor does not say. */
  readonly seats: number | 'unlimited' | null;
  /** People in the business up to which it is the choice, with however many accounts. */
  readonly max_team: number | null;
  readonly requires: readonly Requirement[];
  /** Countries where only approved tools are legal for the need; this one is approved. */
  readonly approved_in: readonly string[];
  /** Whether it stands in front of the shelf because the asker's trade uses it. */
  readonly isOfTrade?: boolean;
};

/** `teams` are the people in the business, from and to, for whom the trade uses it. */
type TradeTool = Pick<Conditions, 'teams'> & {
  readonly id: string;
  readonly reason: string;
  readonly first_hour?: readonly string[];
};

/** What is known of the trade of a business. */
export type Trade = {
  readonly id: string;
  /** As people say it: "Nail salon". */
  readonly name: string;
  readonly business_type: BusinessType;
  /** By need, the tools of the trade in the order of choice, each with one sentence why. */
  readonly tools: Readonly<Partial<Record<string, readonly TradeTool[]>>>;
  /** By need, what this trade has to know of any tool for it. */
  readonly notes?: Readonly<Partial<Record<string, string>>>;
  /** The same for some countries. */
  readonly notes_in?: readonly {
    readonly need: string;
    readonly regions: readonly string[];
    readonly text: string;
  }[];
  /** By need, what this trade calls it: "Drawing plans (CAD)". */
  readonly need_names?: Readonly<Partial<Record<string, string>>>;
  /** By need, what to do where no tool is picked. */
  readonly ways_out?: Readonly<Partial<Record<string, string>>>;
  /** Needs of its kind of business that the trade does not have. */
  readonly without?: readonly string[];
  /** Needs for which only the tools of the trade will do. */
  readonly own_tools_only?: readonly string[];
  /** Whether the owner is the accountant that others are sent to. */
  readonly is_adviser?: boolean;
  /** Whether papers of its clients must not lie in private accounts. */
  readonly confidential?: boolean;
  /** From how many people on a free tool is the wrong answer, and why. */
  readonly free_is_wrong?: { readonly from_team: number; readonly text: string };
};

/** A tool that costs money and is worth it, where a free one is the wrong answer. */
export type PaidTool = Omit<Conditions, 'for' | 'not_for'> & {
  /** Of the directory, where it is there; its price comes from its listing only. */
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly need: string;
  readonly why: string;
  readonly regions?: readonly string[] | undefined;
};

/** Two needs whose picks do not work together unless they are of one vendor; {a} and {b} stand for the picks. */
export type Gap = { readonly needs: readonly [a: string, b: string]; readonly text: string };

/** The trade that an asker wrote, and the one of the table that it names or is nearest to; null where none is near. */
export type AskedTrade = {
  readonly asked: string;
  readonly match: { readonly trade: Trade; readonly how: 'named' | 'nearest' } | null;
};

/** Countries, for some kinds of business or for all. */
type Where = Conditions & { readonly regions: readonly string[] };

/** Legal rules for a need, independent of the tool. */
export type Law = {
  /** Where only approved tools are picked. */
  readonly bars: readonly Where[];
  readonly way_out?: string | undefined;
  /** By country, what to do there instead. */
  readonly ways_out: Readonly<Partial<Record<string, string>>>;
  readonly notes: readonly (Where & { readonly text: string })[];
  /** What to know where no country is given. */
  readonly unplaced: string | null;
};

/** The place of whatever tool was picked for another need. */
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
  /** Reads after "to", as in "to build your website". */
  readonly purpose: string;
  readonly note: string | null;
  readonly seats: 'owner' | 'staff';
  readonly seats_for: Readonly<Partial<Record<BusinessType, 'owner' | 'staff'>>>;
  readonly takes_money: boolean;
  /** Where each who works with it pays once it is no longer free. */
  readonly paid_seats?: 'staff' | undefined;
  readonly setup_minutes: number;
  /** What to do once the account is there, in this order. */
  readonly first_hour: readonly string[];
  /** What some kinds of business have to know of any tool for it, where their trade is not known. */
  readonly notes_for: Readonly<Partial<Record<BusinessType, string>>>;
  readonly after: readonly string[];
  readonly way_out: string | null;
  /** What to do where papers of clients must not lie in private accounts. */
  readonly way_out_confidential: string | null;
  readonly ways_out: Readonly<Partial<Record<BusinessType, string>>>;
  /** By country, before what is said for all. */
  readonly ways_out_in: readonly (Where & { readonly text: string })[];
  /** People from whom on a business has the need; smaller ones only if they ask for it. */
  readonly from_team: number;
  readonly law: Law;
  readonly shelf: readonly (ShelfTool | SameAs)[];
  /** Decided after the needs whose picks meet the requirements of its tools. */
  readonly later: boolean;
  readonly also_well_known: readonly (WellKnown &
    Conditions & {
      readonly regions?: readonly string[] | undefined;
      readonly not_regions?: readonly string[] | undefined;
    })[];
};

/** A paid plan, the people whom it covers (null: any number), its monthly price, and that of each further person. */
export type TeamPlan = {
  readonly plan: string;
  readonly people: number | null;
  readonly amount: string;
  readonly more: string | null;
  /** What it counts besides people: “50 jobs a month”. */
  readonly limit?: string | null;
};

export type ToolDirectory = {
  readonly listings: readonly { readonly id: string }[];
  readonly need: (slug: string) => Need;
  /** A free listing of a need as a place on its shelf, whether or not it stands there; null for any other id. */
  readonly place: (slug: string, id: string) => ShelfTool | null;
  readonly needsOf: (type: BusinessType) => {
    readonly always: readonly string[];
    readonly forTeams: readonly string[];
  };
  readonly gaps: readonly Gap[];
  /** What the law or the habit of a country or a trade demands, whichever tools are picked. */
  readonly musts: readonly (Conditions & {
    readonly text: string;
    readonly regions?: readonly string[] | undefined;
    readonly trades?: readonly string[] | undefined;
  })[];
  /** What a tool of any id costs; null where it is not known. */
  readonly priceOf: (id: string) => Price | null;
  /** Whether a tool of that id, free or paid, has a page. */
  readonly hasPage: (id: string) => boolean;
  /** Its paid plans for teams, the smallest first. */
  readonly plansOf: (id: string) => readonly TeamPlan[];
  readonly firstChecked: string;
  readonly lastChecked: string;
};
