import { methodsOf } from '../../../catalog/operation.ts';
import { networkName, type Site } from '../../site.ts';
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
import { LateApp, type LateData, sentProps } from './late-app.tsx';
import type { Body } from './late-state.ts';

/**
 * The page of a late invoice. It shows the fee at once, and the letter is its last step. Without scripts, the form is
 * submitted, and the page shows the submitted values.
 */
export function lateInvoiceHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const { path } = operation.page;
  const letter = letterOf(site);
  const data = {
    form: formOf(letter ?? operation),
    feeFields: formOf(operation).fields.map(({ name }) => name),
    letter: letterStep(letter, site),
    action: `${path}#${SENT}`,
    attributes: attributesOf(operation),
  };
  return (shown = EMPTY) => {
    const { values, letterhead, faults, notice } = shown;
    const all: LateData = { ...data, sent: { values, letterhead, faults, body: shown.body as Body | null } };
    const main = (
      <>
        {notice === null ? null : <p class="note">{notice}</p>}
        <div id="late">
          <LateApp {...sentProps(all)} />
        </div>
        <div id="example">
          <BelowForm operation={operation}>
            <ExampleLink operation={operation} />
          </BelowForm>
        </div>
        {letter === undefined ? null : <PayDialog operation={letter} path={path} site={site} />}
        <JsonData id="late-data" json={jsonInHtml(all)} />
      </>
    );
    const styles = ['/documents.css', '/quote.css', '/pay.css', '/late-invoice.css'];
    return formPage(operation, site, { faults, main, island: 'late-invoice', styles, isWide: true });
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
