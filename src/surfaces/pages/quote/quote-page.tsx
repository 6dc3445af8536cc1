import type { Site } from '../../site.ts';
import {
  attributesOf,
  BelowForm,
  type Calculator,
  EMPTY,
  ExampleLink,
  formPage,
  type Shown,
} from '../calculator.tsx';
import { formOf } from '../form-fields.ts';
import { SENT } from '../form-texts.ts';
import { JsonData, jsonInHtml } from '../html.tsx';
import { PayDialog } from '../pay/paying.tsx';
import { type Placed, placed, priceWord } from '../shell.tsx';
import { type OptionsData, QuoteApp, sentDraft, sentProps } from './quote-app.tsx';
import type { Body } from './quote-state.ts';

/** The page of a quote, whose form is the document; with the values submitted without scripts. */
export function quoteHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const { path } = operation.page;
  const pack = placed(site).find(({ name }) => name === 'quote_pack');
  const data = {
    form: formOf(operation),
    next: pack?.price ? { price: priceWord(pack.price) } : null,
    action: `${path}#${SENT}`,
    attributes: attributesOf(operation),
  };
  // Serialized once, because it is the same for everybody.
  const step = pack === undefined ? null : optionsOf(operation, pack);
  const options = step === null ? 'null' : jsonInHtml(step);
  return (shown = EMPTY) => {
    const { values, letterhead, faults, rows, notice } = shown;
    const sent = { values, letterhead, faults, rows, body: shown.body as Body | null };
    const all = { ...data, sent, options: step };
    const draft = sentDraft(all);
    const main = (
      <>
        <noscript>
          <p class="note">
            Did someone send you a quote with this link? To show it, your browser needs JavaScript, which is
            turned off.
          </p>
        </noscript>
        {notice === null ? null : <p class="note">{notice}</p>}
        {draft.options === undefined ? null : (
          <noscript>
            <p class="note">The three options need JavaScript, which is turned off in your browser.</p>
          </noscript>
        )}
        <div id={SENT}>
          <div id="quote">
            <QuoteApp {...sentProps(all, draft)} />
          </div>
        </div>
        <div id="options" hidden></div>
        <section id="bought" aria-label="What you bought"></section>
        {pack === undefined ? null : <PayDialog operation={pack} path={path} site={site} />}
        <BelowForm operation={operation}>
          <ExampleLink operation={operation} />
        </BelowForm>
        <JsonData id="options-data" json={options} />
        <JsonData id="quote-data" json={jsonInHtml({ ...data, sent })} />
      </>
    );
    const styles = ['/documents.css', '/pay.css', '/quote.css'];
    return formPage(operation, site, { faults, main, island: 'quote', styles });
  };
}

/** Fields that the step of three options omits, because the document or the additions have them. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['business_name', 'client_name', 'job', 'quote_number', 'trade'],
  ...['better_adds', 'best_adds'],
]);

function optionsOf(operation: Calculator, pack: Placed): OptionsData | null {
  if (pack.route === null) return null;
  const known = new Set(formOf(operation).fields.map(({ name }) => name));
  return {
    route: pack.route.path,
    fields: formOf(pack).fields.filter(({ name }) => !known.has(name) && !SAID_ELSEWHERE.has(name)),
  };
}
