import type { Operation } from '../../catalog/operation.ts';
import { describedInput, fieldsAs, outputSchema, type Schema } from '../../catalog/schema.ts';
import type { Requirements } from '../../payments/x402/requirements.ts';
import { release } from '../../platform/release.ts';

export const SERVER_NAME = 'small-business-calculator';
export const SERVER_VERSION = release.version;

/** The server as clients show it to people: with its title, purpose, address and icon. */
export const serverInfo = (baseUrl: string) => ({
  name: SERVER_NAME,
  version: SERVER_VERSION,
  title: 'Small-Business Calculator',
  description: 'Quotes, late fees, reminder letters and free software for small businesses.',
  websiteUrl: baseUrl,
  icons: [{ src: `${baseUrl}/favicon.svg`, mimeType: 'image/svg+xml' }],
});

/** The revision without a handshake. */
export const MODERN_VERSION = '2026-07-28';
/** Revisions that begin with `initialize`, newest first: an unknown proposal is answered with the first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
export const PROTOCOL_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

/** Where a call carries its payment. */
export const PAY_IN = 'params._meta["x402/payment"]';

type InstructionParts = {
  readonly operations: readonly Operation[];
  readonly freeRequestsPerMinute: number;
  readonly baseUrl: string;
};

/** What a model should know about all tools, in at most 600 characters. */
export function instructionsFor({ operations, freeRequestsPerMinute, baseUrl }: InstructionParts): string {
  const names = (isPaid: boolean) =>
    operations
      .filter(({ tool, price }) => tool && (price !== null) === isPaid)
      .map(({ name }) => name)
      .join(', ');
  return `Small-business calculators and a checked directory of free software. Free, ${freeRequestsPerMinute} calls a minute from one address: ${names(false)}. Paid in USDC through x402: ${names(true)}; call once without payment to get the price, then repeat the call with the signed payment in _meta["x402/payment"]. If you have no wallet, show your user ${baseUrl}/ or the pay_page in that result. Invalid input is never charged. Amounts are numbers (or numbers as text), and dates are YYYY-MM-DD. Your input is not stored.`;
}

// MCP's defaults are the worst case, so all four hints are given. A paid call moves money, so clients should ask first.
const FREE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const PAID = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** A tool in `tools/list`. */
export type ToolDocument = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: typeof FREE;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

/** The document of every tool, sorted by name so that lists compare equal. */
export function toolList(
  operations: readonly Operation[],
  requirementsOf: (operation: Operation) => Requirements,
): readonly ToolDocument[] {
  return operations
    .filter(({ tool }) => tool)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((operation) => {
      const { name, title, description, price } = operation;
      // The schema of the HTTP route, with the defaults of a tool call.
      const input = plain(describedInput(operation, operation.toolDefaults));
      return {
        name,
        title,
        description,
        inputSchema: input,
        outputSchema: resultSchema(outputSchema(operation), input, price !== null),
        annotations: price === null ? FREE : PAID,
        ...(price !== null && { _meta: priceMeta(Number(price.usd), requirementsOf(operation)) }),
        ...viewMeta(name),
      };
    });
}

/** The keywords that every model vendor accepts. With any other keyword, some vendors reject all tools of a request. */
const PLAIN = [
  'type',
  'description',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'required',
  'additionalProperties',
];

/** A schema with only these keywords. The server checks the rest and reports its faults. */
function plain(schema: Schema): Schema {
  const { properties, items } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => PLAIN.includes(keyword))),
    ...(properties && { properties: fieldsAs(schema, plain) }),
    ...(items && { items: plain(items) }),
  };
}

const PAYMENT_REQUIRED: Schema = { required: ['x402Version', 'accepts'] };
const PROBLEM: Schema = { required: ['code', 'detail'] };

/**
 * The possible structuredContent: the answer, for a paid tool the x402 challenge, and a problem. Clients of the SDK 1.x
 * validate it even if isError is set, and a buyer whose client throws there can never pay. From the answer, only fields
 * that do not repeat the input are listed, since every client fetches the list and caches it for an hour.
 */
function resultSchema(answer: Schema, { properties: asked = {} }: Schema, isPaid: boolean): Schema {
  const required = (answer.required ?? []).filter((name) => !Object.hasOwn(asked, name));
  return { type: 'object', anyOf: [{ required }, ...(isPaid ? [PAYMENT_REQUIRED] : []), PROBLEM] };
}

/** The price in the forms that clients read before a call: mcpc in `x402`, Cloudflare's agents in `agents-x402/*`. */
const priceMeta = (usd: number, requirements: Requirements) => ({
  x402: { paymentRequired: true, ...requirements, payIn: PAY_IN },
  'agents-x402/paymentRequired': true,
  'agents-x402/priceUSD': usd,
});

/** The view of MCP Apps (2026-01-26) in which a chat shows the answers of free tools. */
const VIEW_URI = 'ui://small-business-calculator/answer.html';

/** The tools whose answers the view shows. */
const SHOWN_TOOLS: readonly string[] = ['quote_totals', 'late_fee'];

/** The view reference in a tool's document. The second name is for older hosts. */
const viewMeta = (tool: string) =>
  SHOWN_TOOLS.includes(tool) && {
    _meta: { ui: { resourceUri: VIEW_URI }, 'ui/resourceUri': VIEW_URI },
  };

// The view loads nothing, so hosts keep their strictest policy.
const CONTENT = {
  uri: VIEW_URI,
  mimeType: 'text/html;profile=mcp-app',
  _meta: { ui: { csp: {}, prefersBorder: true } },
};

/** The view in `resources/list`. */
export const VIEW_RESOURCE = {
  name: 'answer',
  title: 'Quote or late fee',
  description: 'Shows the result of quote_totals or late_fee as a document.',
  ...CONTENT,
};

/** The contents of a resource in `resources/read`; null if the address is unknown. */
export const viewContents = (uri: string, html: () => string) =>
  uri === VIEW_URI ? [{ ...CONTENT, text: html() }] : null;
