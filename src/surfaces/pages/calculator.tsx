import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import type { PageName } from '../../operations/answers.ts';
import { exampleCommand } from '../discovery/inputs.ts';
import { isPaid, SITE_NAME, type Site } from '../site.ts';
import { type Island, islandScripts } from './assets.ts';
import type { Block, Page, Text } from './content.ts';
import { BLANK, type Letterhead } from './documents/letterhead.ts';
import { SENT } from './form-texts.ts';
import { asWritten, type FormValues, NOTHING_WRITTEN, valuesQuery } from './form-values.ts';
import { htmlDocument } from './html.tsx';
import type { Child } from './markup.ts';
import { OG_OF } from './og-pictures.ts';
import { payingBlocks } from './pay/paying.tsx';
import type { Placed } from './shell.tsx';
import { sampleOf } from './views/views.ts';

/** An operation with a page that begins with a form. */
export type Calculator = Placed;

// The pages of the directory and its listings have no form.
const FORMLESS: ReadonlySet<string> = new Set<PageName>(['list_tools', 'tool']);

export const isCalculator = (operation: Operation): operation is Calculator =>
  operation.page !== null && !FORMLESS.has(operation.name);

/** The operations whose page begins with their form. Others are a step of such a page. */
export const pageOwners = (operations: readonly Operation[]): readonly Calculator[] => {
  const all = operations.filter(isCalculator);
  return all.filter(({ page }, index) => all.findIndex((one) => one.page.path === page.path) === index);
};

/** Attributes of a free form for agents in the browser (WebMCP). */
export const attributesOf = ({ name, price, summary }: Calculator): Readonly<Record<string, string>> =>
  price === null ? { toolname: name, tooldescription: summary } : {};

/** The values of a form with their result. If nothing was submitted, the fields are omitted. */
export type Shown = {
  readonly values: FormValues;
  readonly faults: readonly Fault[];
  /** The answer of a free operation. */
  readonly answer: readonly Block[];
  /** The answer as the API returns it; null if there is none. */
  readonly body: unknown;
  /** The letterhead that the user wrote on the document, if there is one. */
  readonly letterhead: Letterhead;
  /** A sentence for the case that there is no answer but the form has no error. */
  readonly notice: string | null;
  /** Minimum number of rows in each list. */
  readonly rows: number;
};

export const ROWS = 3;
/** An empty form. */
export const EMPTY: Shown = {
  values: NOTHING_WRITTEN,
  faults: [],
  answer: [],
  body: null,
  letterhead: BLANK,
  notice: null,
  rows: ROWS,
};

type FormPage = {
  readonly faults: readonly Fault[];
  readonly main: Child;
  /** The script of the page. */
  readonly island: Island;
  readonly styles: readonly string[];
  readonly isWide?: boolean;
};

/** The HTML of a page with a form. */
export function formPage(
  operation: Calculator,
  site: Site,
  { faults, main, island, styles, isWide = false }: FormPage,
): string {
  const { path, heading, summary } = operation.page;
  return htmlDocument(
    {
      path,
      title: heading,
      // Read out first when the page returns.
      ...(faults.length > 0 && { documentTitle: `To change: ${heading} · ${SITE_NAME}` }),
      description: summary,
      picture: OG_OF[operation.name] ?? 'home',
      data: structuredData(operation, site.baseUrl),
    },
    site,
    main,
    {
      // The wallet must be loaded before a script uses it.
      scripts: [...(site.playMoneyKey === null ? [] : islandScripts('play-money')), ...islandScripts(island)],
      styles,
      isWide,
    },
  );
}

/** The line below a form: `children`, such as the example link, then the link to the API reference. */
export const BelowForm = ({ operation, children }: { operation: Calculator; children?: Child }) => (
  <p class="below">
    {children}
    <a href={`/docs#${operation.operationId}`}>For programs: the same over HTTP and MCP</a>
  </p>
);

/** Fills in the example of an operation. */
export const ExampleLink = ({ operation: { page, example } }: { operation: Calculator }) => (
  <>
    <a href={`${page.path}?${valuesQuery(asWritten(example))}#${SENT}`} data-example>
      Fill in an example
    </a>{' '}
  </>
);

/** The page of an operation as text, without the form. */
export function calculatorPage(operation: Calculator, site: Site): Page {
  const { path, heading, summary, lead } = operation.page;
  return {
    path,
    title: heading,
    description: summary,
    blocks: [
      { text: lead },
      ...payingBlocks(operation, site),
      ...exampleBlocks(operation, site),
      ...programBlocks(operation, site),
    ],
  };
}

export function exampleBlocks(operation: Calculator, site: Site): readonly Block[] {
  return [
    { heading: isPaid(operation) ? 'What you get' : 'An example', id: 'example' },
    ...sampleOf(operation.name)(site.answerOf(operation)),
  ];
}

function programBlocks(operation: Calculator, site: Site): readonly Block[] {
  const { operationId, name, price } = operation;
  const howTo: Text = [
    price === null ? 'The same answer over HTTP: ' : `USD ${price.usd} in USDC a request, through x402: `,
    { link: 'every field and error', href: `/docs#${operationId}` },
    '; over MCP it is the tool ',
    { code: name },
    '. We store nothing that you enter on this page or send to the API.',
  ];
  return [
    { heading: 'For programs and agents', id: 'api' },
    { text: howTo },
    { code: exampleCommand(operation, site.baseUrl), language: 'sh' },
  ];
}

function structuredData({ page, price }: Calculator, baseUrl: string) {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebApplication',
    name: page.heading,
    description: page.summary,
    url: `${baseUrl}${page.path}`,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Any',
    offers: { '@type': 'Offer', price: price?.usd ?? '0', priceCurrency: 'USD' },
  };
}
