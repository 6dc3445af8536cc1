import type { Operation } from '../../catalog/operation.ts';
import type { PageName } from '../../operations/answers.ts';
import { exampleCommand } from '../discovery/example-request.ts';
import { once } from '../http/documents.ts';
import { isPaid, SITE_NAME, type Site } from '../site.ts';
import { islandScripts } from './assets.ts';
import { Blocks } from './blocks.tsx';
import { attributesOf } from './calculator-attributes.ts';
import type { Block, Page, Text } from './content.ts';
import { BLANK, type Letterhead } from './documents/letterhead.ts';
import { type Filled, Form, SENT } from './form.tsx';
import { type FormModel, formOf } from './form-fields.ts';
import { SEE_PRICE } from './form-texts.ts';
import { asWritten, NOTHING_WRITTEN, valuesQuery } from './form-values.ts';
import { htmlDocument } from './html.tsx';
import { htmlOf, raw } from './markup.ts';
import { OG_OF } from './og-pictures.ts';
import { PayDialog, PayingNote, payingBlocks } from './pay/paying.tsx';
import type { Placed } from './shell.tsx';
import { sampleOf } from './views/views.ts';

/** An operation with a page that begins with a form. */
export type Calculator = Placed;

// The pages of the directory and its listings have no form.
const FORMLESS: ReadonlySet<string> = new Set<PageName>(['list_tools', 'tool']);

export const isCalculator = (operation: Operation): operation is Calculator =>
  operation.page !== null && !FORMLESS.has(operation.name);

/** The operations whose page begins with their form; others are a step of such a page. */
export const pageOwners = (operations: readonly Operation[]): readonly Calculator[] => {
  const all = operations.filter(isCalculator);
  return all.filter(({ page }, index) => all.findIndex((one) => one.page.path === page.path) === index);
};

/** The values of a form with their result; left out where nothing was submitted. */
export type Shown = Filled & {
  /** The answer of a free operation. */
  readonly answer: readonly Block[];
  /** The same as the API gives it; null where there is none. */
  readonly body: unknown;
  /** What was written onto the document, where there is one. */
  readonly letterhead: Letterhead;
  /** A sentence where there is no answer and nothing in the form is wrong. */
  readonly notice: string | null;
  /** Rows that each list shows at least. */
  readonly rows: number;
};

export const ROWS = 3;
/** Nothing was written. */
export const EMPTY: Shown = {
  values: NOTHING_WRITTEN,
  faults: [],
  answer: [],
  body: null,
  letterhead: BLANK,
  notice: null,
  rows: ROWS,
};

/**
 * The page of an operation with its form, filled with the submitted values and their answer or faults. The parts that do
 * not depend on the values are rendered once.
 */
export function calculatorHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const form = once(() => formOf(operation));
  const rest = once(() => restHtml(operation, site));
  return (shown = EMPTY) => shownHtml(operation, site, { ...shown, form: form(), rest: rest() });
}

const restHtml = (operation: Calculator, site: Site): string =>
  htmlOf(
    <>
      <section class="example" aria-labelledby="example">
        <Blocks blocks={exampleBlocks(operation, site)} />
      </section>
      <Blocks blocks={programBlocks(operation, site)} />
    </>,
  );

function shownHtml(
  operation: Calculator,
  site: Site,
  { form, rest, ...shown }: Shown & { form: FormModel; rest: string },
): string {
  const { baseUrl } = site;
  const { path, heading, lead } = operation.page;
  const paid = isPaid(operation);
  return htmlDocument(
    {
      path,
      title: heading,
      // Read out first when the page comes back.
      ...(shown.faults.length > 0 && { documentTitle: `To change: ${heading} · ${SITE_NAME}` }),
      description: operation.page.summary,
      picture: OG_OF[operation.name] ?? 'home',
      data: structuredData(operation, baseUrl),
    },
    site,
    <>
      <p class="lead">{lead}</p>
      <PayingNote operation={operation} site={site} />
      <div class={paid ? 'desk' : 'desk wide'}>
        <div class="ask" id={shown.faults.length > 0 ? SENT : undefined}>
          <p>
            <a href={`${path}?${valuesQuery(asWritten(operation.example))}#${SENT}`} data-example>
              Fill in an example
            </a>
          </p>
          <Form
            form={form}
            path={path}
            submit={paid ? `${SEE_PRICE} (USD ${operation.price?.usd})` : 'Work it out'}
            rows={shown.rows}
            values={shown.values}
            faults={shown.faults}
            isFree={!paid}
            attributes={attributesOf(operation, site)}
          />
        </div>
        <div class="told" id={shown.faults.length > 0 ? undefined : SENT}>
          <p id="status" class="hidden" role="status"></p>
          <section id="result" aria-label="Result">
            {shown.notice === null ? null : <p class="note">{shown.notice}</p>}
            <Blocks blocks={shown.answer} />
          </section>
        </div>
      </div>
      <PayDialog operation={operation} path={path} site={site} />
      <div class="rest">{raw(rest)}</div>
    </>,
    {
      scripts: scriptsOf(site),
      styles: ['/calculator.css', ...(paid ? ['/documents.css', '/pay.css'] : [])],
    },
  );
}

/** In the order in which they run: the wallet has to be there before a script asks for it. */
function scriptsOf({ playMoneyKey }: Site): readonly string[] {
  return [...(playMoneyKey === null ? [] : islandScripts('play-money')), ...islandScripts('paid')];
}

/** The same page as text, without the form. */
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

export function programBlocks(operation: Calculator, site: Site): readonly Block[] {
  const { operationId, name, price } = operation;
  const howTo: Text = [
    price === null ? 'The same answer over HTTP: ' : `USD ${price.usd} in USDC a request, through x402: `,
    { link: 'every field and error', href: `/docs#${operationId}` },
    '; over MCP it is the tool ',
    { code: name },
    '. Nothing you write here or send there is stored by us.',
  ];
  return [
    { heading: 'For programs and agents', id: 'api' },
    { text: howTo },
    { code: exampleCommand(operation, site.baseUrl), language: 'sh' },
  ];
}

export function structuredData({ page, price }: Calculator, baseUrl: string) {
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
