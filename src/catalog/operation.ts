import type { z } from 'zod';
import type { Day } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';

/** A fixed price: `usd` for people ("0.05"), `atomic` in USDC's six decimals ("50000") for the wire. */
export type Price = { readonly usd: string; readonly atomic: string };

export type Method = 'GET' | 'POST';

/** Where an operation is reached over HTTP; a path may end in one `{parameter}`. */
export type Route = {
  readonly method: Method;
  readonly path: `/v1/${string}`;
  /** A GET whose input is taken as a JSON body by POST too, which keeps it out of addresses and so out of logs. */
  readonly alsoByPost?: true;
};

/** Every method that a route answers, the first one first. */
export const methodsOf = ({ method, alsoByPost }: Route): readonly Method[] =>
  alsoByPost ? [method, 'POST'] : [method];

/** The page of an operation for people; its form is made of the input's schema. */
export type PagePlace = {
  /** May end in the route's `{parameter}`; then there is no form. */
  readonly path: `/${string}`;
  readonly heading: string;
  /** One sentence for search results and link previews. */
  readonly summary: string;
  /** What the navigation calls it; the heading when left out. */
  readonly menu?: string;
  /** Other words for what the page can be searched for, by the name of each. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** What the page is good for, above the form. */
  readonly lead: string;
};

/** What an operation may know beyond its input. `today` is the UTC day, frozen for a paid request and its retries. */
export type Context = { readonly today: Day };

/** How a run can end when nothing is broken; only `answer` can ever be paid for. */
export type Answer<Body> =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly kind: 'not_found'; readonly detail: string }
  | { readonly kind: 'no_answer'; readonly detail: string };

/** Deeply read-only. */
export type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

/** The fields of an input while some of them may be faulty (then absent). */
export type Partly<Input> = { readonly [Name in keyof Input]?: Input[Name] | undefined };

/**
 * One operation, declared once: every surface, document and price list derives from this record.
 * `name` is the MCP tool name; `operationId` names the HTTP twin in OpenAPI.
 * @example
 * const validated = validate(operation, { values: { amount: '1250', due_date: '2026-09-01' }, faults: [] }, { today });
 * if (validated.ok) operation.run(validated.input, { today }); // { kind: 'answer', body: … }
 */
export type Operation<
  Input extends z.ZodType = z.ZodType,
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
  /** Names of a paid twin's fields that a free operation accepts and ignores. */
  readonly tolerates: readonly string[];
  /** The field of the input that only shapes the answer and is no part of what is bought; null for none. */
  readonly form: string | null;
  /** The answer as text for people, where a surface has given it one; null for JSON alone. */
  readonly text: ((body: unknown) => string) | null;
  /** What to send instead of names that callers expect and no field has, such as `valid_until`; in snake_case. */
  readonly meant: Readonly<Record<string, string>>;
  /** A valid raw input, as a caller would write it; its answer is the documented example. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Values that an MCP tool call gets for fields it leaves out, where a model needs less than a program. */
  readonly toolDefaults: Readonly<Record<string, unknown>>;
  /** true: the answer depends on nothing but the input and the service's release, so it may be cached. */
  readonly cacheable: boolean;
  /** Faults between fields, found also while other fields are faulty. Pure. */
  check(input: Partly<z.output<Input>>, context: Context): readonly Fault[];
  /**
   * Whether an input without faults is sure to be answered, told without working the answer out: then a price is named
   * at once. false where only `run` tells.
   */
  surelyAnswers(input: z.output<Input>, context: Context): boolean;
  /** Pure and quick; it runs before a price is named, unless it surely answers, and before any money moves. */
  run(input: z.output<Input>, context: Context): Answer<Immutable<z.input<Output>>>;
};

type Optional =
  | 'form'
  | 'text'
  | 'tolerates'
  | 'meant'
  | 'check'
  | 'surelyAnswers'
  | 'tool'
  | 'toolDefaults'
  | 'cacheable'
  | 'page';

/** Declares an operation with its defaults: reachable over MCP, uncached, nothing tolerated, nothing to cross-check. */
export function operation<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Name extends string,
  Cost extends Price | null,
  Page extends PagePlace | null = null,
>(
  declared: Omit<Operation<Input, Output, Name, Page, Cost>, Optional> &
    Partial<Pick<Operation<Input, Output, Name, Page, Cost>, Optional>>,
): Operation<Input, Output, Name, Page, Cost> {
  return {
    form: null,
    text: null,
    tolerates: [],
    meant: {},
    check: () => [],
    surelyAnswers: () => false,
    tool: true,
    toolDefaults: {},
    cacheable: false,
    page: null as Page,
    ...declared,
  };
}

/**
 * What an operation does without what documents say of it: all that a page needs to work the answer out in the browser. It
 * stands in a file without the schema of the answer, so that no page carries that along.
 */
export type Reckoning<Input extends z.ZodType = z.ZodType, Body = unknown> = Pick<
  Operation<Input>,
  'input' | 'meant' | 'tolerates' | 'check'
> & { run(input: z.output<Input>, context: Context): Answer<Body> };

/** Declares what an operation does, with the types of its input. */
export const reckoning = <Input extends z.ZodType, Body>(
  declared: Reckoning<Input, Body>,
): Reckoning<Input, Body> => declared;

/** A price in whole cents, e.g. `usd('0.05')`; throws at start on anything else. */
export function usd(text: string): Price {
  const match = /^(\d{1,4})\.(\d{2})$/.exec(text);
  if (!match || text === '0.00') throw new Error(`A price is dollars and cents, not ${text}`);
  return { usd: text, atomic: String(BigInt(`${match[1]}${match[2]}`) * 10_000n) };
}
