import { isPaid, SITE_NAME, type Site } from '../../site.ts';
import { islandScripts } from '../assets.ts';
import { type Calculator, EMPTY, type Shown, structuredData } from '../calculator.tsx';
import { attributesOf } from '../calculator-attributes.ts';
import { SENT } from '../form.tsx';
import { formOf } from '../form-fields.ts';
import { asWritten, valuesQuery } from '../form-values.ts';
import { htmlDocument, jsonInHtml } from '../html.tsx';
import { OG_OF } from '../og-pictures.ts';
import { priceWord } from '../shell.tsx';
import { QuoteApp, sentProps } from './quote-app.tsx';
import type { NextStep } from './quote-editor.tsx';
import type { Body } from './quote-fields.tsx';

/** The page of a quote, whose form is the document; with what was sent to it without script. */
export function quoteHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const { path, heading, summary } = operation.page;
  const data = {
    form: formOf(operation),
    next: nextOf(site),
    action: `${path}#${SENT}`,
    attributes: attributesOf(operation, site),
  };
  const example = `${path}?${valuesQuery(asWritten(operation.example))}#${SENT}`;
  return (shown = EMPTY) => {
    const { values, letterhead, faults, rows, notice } = shown;
    const sent = { values, letterhead, faults, rows, body: shown.body as Body | null };
    return htmlDocument(
      {
        path,
        title: heading,
        // Read out first when the page comes back.
        ...(faults.length > 0 && { documentTitle: `To change: ${heading} · ${SITE_NAME}` }),
        description: summary,
        picture: OG_OF[operation.name] ?? 'home',
        data: structuredData(operation, site.baseUrl),
      },
      site,
      <>
        <noscript>
          <p class="note">
            Were you sent a quote by this link? It is shown by a script, which your browser does not run.
          </p>
        </noscript>
        {notice === null ? null : <p class="note">{notice}</p>}
        <div id={SENT}>
          <div id="quote">
            <QuoteApp {...sentProps({ ...data, sent })} />
          </div>
        </div>
        <p class="below">
          <a href={example} data-example>
            Fill in an example
          </a>{' '}
          <a href={`/docs#${operation.operationId}`}>For programs: the same over HTTP and MCP</a>
        </p>
        <script
          type="application/json"
          id="quote-data"
          dangerouslySetInnerHTML={{ __html: jsonInHtml({ ...data, sent }) }}
        ></script>
      </>,
      { scripts: islandScripts('quote'), styles: ['/documents.css', '/quote.css'] },
    );
  };
}

function nextOf({ operations }: Site): NextStep | null {
  const pack = operations.find(({ name }) => name === 'quote_pack');
  if (!pack?.page || !isPaid(pack) || pack.price === null) return null;
  return { path: pack.page.path, says: 'Offer 3 options', price: priceWord(pack.price) };
}
