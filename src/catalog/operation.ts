import type { z } from 'zod';
import type { Day } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import type { Fields, Meant, ValuesOf } from './field.ts';

/** A fixed price: `usd` for people ("0.05"), `atomic` in USDC's six decimals ("50000") for the wire. */
export type Price = { readonly usd: string; readonly atomic: string };

export type Method = 'GET' | 'POST';

/** The HTTP route of an operation; a path may end in one `{parameter}`. */
export type Route = {
  readonly method: Method;
  readonly path: `/v1/${string}`;
  /** POST with a JSON body is also accepted, which keeps the input out of addresses and therefore out of logs. */
  readonly alsoByPost?: true;
};

/** Every method of a route, the main one first. */
export const methodsOf = ({ method, alsoByPost }: Route): readonly Method[] =>
  alsoByPost ? [method, 'POST'] : [method];

/** The page of an operation for people. Its form is built from the input schema. */
export type PagePlace = {
  /** May end in the route's `{parameter}`. The page then has no form. */
  readonly path: `/${string}`;
  /**
   * The step of this operation on a page that begins with another operation. Links to this operation open that step.
   */
  readonly step?: string;
  readonly heading: string;
  /** One sentence for search results and link previews. */
  readonly summary: string;
  /** Search synonyms, by the word that they replace. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** The paragraph above the form. */
  readonly lead: string;
};

/** The address of a page on its site, at the step of its operation. */
export const pageAddress = ({ path, step }: PagePlace): string =>
  step === undefined ? path : `${path}#${stepQuery(step)}`;

/** A step as a query parameter of a link. */
export const stepQuery = (step: string): string => `step=${step}`;

/**
 * What an operation gets in addition to its input. `today` is the UTC day, fixed for a paid request and its retries.
 */
export type Context = { readonly today: Day };

/** The possible results of a run. Only `answer` can be paid for. */
export type Answer<Body> =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly kind: 'not_found'; readonly detail: string }
  | { readonly kind: 'no_answer'; readonly detail: string };

/** Deeply read-only. */
export type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

/** An input without its invalid fields. */
export type PartialInput<Input> = { readonly [Name in keyof Input]?: Input[Name] | undefined };

/**
 * One operation, declared once: every surface, document and price list derives from this record. `name` is the MCP tool
 * name; `operationId` names the HTTP route in OpenAPI.
 * @example
 * const validated = validate(operation, { values: { amount: '1250', due_date: '2026-09-01' }, faults: [] }, { today });
 * if (validated.ok) operation.run(validated.input, { today }); // { kind: 'answer', body: … }
 */
export type Operation<
  Input extends Fields = Fields,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
  Page extends PagePlace | null = PagePlace | null,
  Cost extends Price | null = Price | null,
> = {
  readonly name: Name;
  readonly operationId: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  /** null: not reachable over HTTP. */
  readonly route: Route | null;
  /** false: not an MCP tool. */
  readonly tool: boolean;
  /** null: no page for people. */
  readonly page: Page;
  /** null: free. */
  readonly price: Cost;
  readonly input: Input;
  readonly output: Output;
  /** Optional inputs that the specification names. If space is limited, they are listed before the others. */
  readonly specifiedInputs: readonly string[];
  /** Fields of the paid operation that this free operation accepts and ignores. */
  readonly tolerates: readonly string[];
  /** The input field that only shapes the answer and is not part of the purchase; null if there is none. */
  readonly form: string | null;
  /** Renders the answer as text for people; null if there is only JSON. */
  readonly text: ((body: unknown) => string) | null;
  readonly meant: Meant;
  /** A valid raw input as a caller would write it. Its answer is the documented example. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Defaults of the MCP tool if a model needs less than a program. */
  readonly toolDefaults: Readonly<Record<string, unknown>>;
  /** true: the answer depends only on the input and the release, so it may be cached. */
  readonly cacheable: boolean;
  /** Faults between fields; also called while single fields are invalid. Pure. */
  check(input: PartialInput<ValuesOf<Input>>, context: Context): readonly Fault[];
  /**
   * Whether a valid input is certain to have an answer, decided without calculating the answer. If so, the price is
   * stated at once. Otherwise `run` is called first.
   */
  surelyAnswers(input: ValuesOf<Input>, context: Context): boolean;
  /**
   * What a buyer should know about a valid input before paying, as fields next to the price; null if there is nothing
   * to say. Pure.
   */
  beforePaying(input: ValuesOf<Input>, context: Context): Readonly<Record<string, unknown>> | null;
  /** Pure and fast. Called before a price is stated (unless `surelyAnswers`) and before any money moves. */
  run(input: ValuesOf<Input>, context: Context): Answer<Immutable<z.input<Output>>>;
};

/** An MCP tool, not cached, without a page and without checks between fields. */
const DEFAULTS = {
  form: null,
  text: null,
  specifiedInputs: [],
  tolerates: [],
  meant: {},
  check: () => [],
  surelyAnswers: () => false,
  beforePaying: () => null,
  tool: true,
  toolDefaults: {},
  cacheable: false,
  page: null,
};

type Optional = keyof typeof DEFAULTS;

/** Declares an operation, with defaults for the optional fields. */
export function operation<
  Input extends Fields,
  Output extends z.ZodType,
  Name extends string,
  Cost extends Price | null,
  Page extends PagePlace | null = null,
>(
  declared: Omit<Operation<Input, Output, Name, Page, Cost>, Optional> &
    Partial<Pick<Operation<Input, Output, Name, Page, Cost>, Optional>>,
): Operation<Input, Output, Name, Page, Cost> {
  return { ...DEFAULTS, page: null as Page, ...declared };
}

/**
 * The part of an operation that calculates: everything that a page needs to calculate the answer in the browser. It is
 * in a separate file from the answer's schema, so that pages do not load that schema.
 */
export type Reckoning<Input extends Fields = Fields, Body = unknown> = Pick<
  Operation<Input>,
  'input' | 'meant' | 'tolerates' | 'check'
> & { run(input: ValuesOf<Input>, context: Context): Answer<Body> };

/** Declares the calculating part of an operation, and infers the types from its input. */
export const reckoning = <Input extends Fields, Body>(
  declared: Reckoning<Input, Body>,
): Reckoning<Input, Body> => declared;

/** A price in whole cents, e.g. `usd('0.05')`; throws at startup on anything else. */
export function usd(text: string): Price {
  const match = /^(\d{1,4})\.(\d{2})$/.exec(text);
  if (!match || text === '0.00') throw new Error(`A price is dollars and cents, not ${text}`);
  return { usd: text, atomic: String(BigInt(`${match[1]}${match[2]}`) * 10_000n) };
}
