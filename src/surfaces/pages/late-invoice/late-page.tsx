import { methodsOf } from '../../../catalog/operation.ts';
import { networkName, SITE_NAME, type Site } from '../../site.ts';
import { islandScripts } from '../assets.ts';
import { attributesOf, type Calculator, EMPTY, type Shown, structuredData } from '../calculator.ts';
import { formOf } from '../form-fields.ts';
import { SENT } from '../form-texts.ts';
import { asWritten, valuesQuery } from '../form-values.ts';
import { htmlDocument, jsonInHtml } from '../html.tsx';
import { OG_OF } from '../og-pictures.ts';
import { PayDialog } from '../pay/paying.tsx';
import { type Placed, placed, priceWord } from '../shell.tsx';
import { LateApp, type LateData, sentProps } from './late-app.tsx';
import type { Body } from './late-state.ts';

/**
 * The page of a late invoice: the fee at once, and the letter as its last step, with the values submitted without
 * scripts.
 */
export function lateInvoiceHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const { path, heading, summary } = operation.page;
  const letter = letterOf(site);
  const data = {
    form: formOf(letter ?? operation),
    feeFields: formOf(operation).fields.map(({ name }) => name),
    letter: letterStep(letter, site),
    action: `${path}#${SENT}`,
    attributes: attributesOf(operation),
  };
  const example = `${path}?${valuesQuery(asWritten(operation.example))}#${SENT}`;
  return (shown = EMPTY) => {
    const { values, letterhead, faults, notice } = shown;
    const all: LateData = { ...data, sent: { values, letterhead, faults, body: shown.body as Body | null } };
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
      <>
        {notice === null ? null : <p class="note">{notice}</p>}
        <div id="late">
          <LateApp {...sentProps(all)} />
        </div>
        <p class="below" id="example">
          <a href={example} data-example>
            Fill in an example
          </a>{' '}
          <a href={`/docs#${operation.operationId}`}>For programs: the same over HTTP and MCP</a>
        </p>
        {letter === undefined ? null : <PayDialog operation={letter} path={path} site={site} />}
        <script
          type="application/json"
          id="late-data"
          dangerouslySetInnerHTML={{ __html: jsonInHtml(all) }}
        ></script>
      </>,
      {
        // The wallet must be loaded before a script uses it.
        scripts: [
          ...(letter === undefined || site.playMoneyKey === null ? [] : islandScripts('play-money')),
          ...islandScripts('late-invoice'),
        ],
        styles: ['/documents.css', '/quote.css', '/pay.css', '/late-invoice.css'],
        isWide: true,
      },
    );
  };
}

const letterOf = (site: Site): Placed | undefined =>
  placed(site).find(
    ({ name, price, route }) => name === 'late_fee_notice' && price !== null && route !== null,
  );

function letterStep(letter: Placed | undefined, site: Site): LateData['letter'] {
  if (letter === undefined || letter.price === null || letter.route === null) return null;
  return {
    price: priceWord(letter.price),
    usd: letter.price.usd,
    network: networkName(site.terms),
    isPlayMoney: site.playMoneyKey !== null,
    // By POST where possible, which keeps the values out of addresses.
    method: methodsOf(letter.route).at(-1) ?? '',
    route: letter.route.path,
  };
}
