import { methodsOf } from '../../../catalog/operation.ts';
import type { AnswerOf, PageName } from '../../../operations/answers.ts';
import { TRADES } from '../../../trades/trades.ts';
import type { Site } from '../../site.ts';
import { Blocks } from '../blocks.tsx';
import {
  attributesOf,
  BelowForm,
  type Calculator,
  EMPTY,
  exampleBlocks,
  formPage,
  type Shown,
} from '../calculator.tsx';
import { reportSampleSheet } from '../documents/report.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { formOf } from '../form-fields.ts';
import { SENT } from '../form-texts.ts';
import { JsonData, jsonInHtml } from '../html.tsx';
import { PayDialog, PayingNote } from '../pay/paying.tsx';
import { PlanApp, type PlanData } from './plan-app.tsx';

/**
 * The page of an operation whose form has fields only, such as a software plan, with the values submitted without
 * scripts.
 */
export function planHtml(operation: Calculator, site: Site): (shown?: Shown) => string {
  const { route } = operation;
  const { path, lead } = operation.page;
  const data: PlanData = {
    form: formOf(operation),
    ...(operation.name === PLAN
      ? {
          trades: TRADES.map(({ name, words, business_type: type }) => ({ name, words, type })),
          needs: needsOf(site),
          submit: 'Make my plan',
        }
      : { trades: [], needs: [], submit: operation.price === null ? 'Work it out' : 'See the price' }),
    usd: operation.price?.usd ?? null,
    action: `${path}#${SENT}`,
    // By POST where possible, which keeps the values out of addresses.
    method: route === null ? '' : (methodsOf(route).at(-1) ?? ''),
    route: route?.path ?? '',
    attributes: attributesOf(operation),
  };
  // Serialized once, because it is the same for everybody.
  const served = jsonInHtml(data);
  return (shown = EMPTY) => {
    const { values, faults, notice, answer } = shown;
    const main = (
      <>
        <p class="lead">{lead}</p>
        {notice === null ? null : <p class="note">{notice}</p>}
        <div class="plan-desk">
          <div id={SENT} class="card">
            <PayingNote operation={operation} site={site} />
            <div id="plan">
              <PlanApp {...data} values={values.fields} faults={faults} undoing={null} acts={null} />
            </div>
          </div>
          <p id="status" class="hidden" role="status"></p>
          <section id="result" aria-label="Result">
            <Blocks blocks={answer} />
          </section>
          <section class="example" aria-labelledby="example">
            <Example operation={operation} site={site} />
          </section>
        </div>
        <PayDialog operation={operation} path={path} site={site} />
        <BelowForm operation={operation} />
        <JsonData
          id="plan-data"
          json={`{"data":${served},"sent":${jsonInHtml({ values: values.fields, faults })}}`}
        />
      </>
    );
    const styles = ['/documents.css', '/pay.css', '/plan.css'];
    return formPage(operation, site, { faults, main, island: 'plan', styles, isWide: true });
  };
}

/** The beginning of a plan as it looks when it is bought. Other operations show their example answer. */
function Example({ operation, site }: { operation: Calculator; site: Site }) {
  if (operation.name !== PLAN) return <Blocks blocks={exampleBlocks(operation, site)} />;
  const body = site.answerOf(operation) as AnswerOf<typeof PLAN>;
  return (
    <>
      <h2 id="example" class="hidden">
        What you get
      </h2>
      <p class="hint">The beginning of a plan, for a team of four in the building trades:</p>
      <SheetView sheet={reportSampleSheet(body)} />
    </>
  );
}

const PLAN = 'small_business_stack_report' satisfies PageName;

/** The categories of the directory, by their page names. */
function needsOf(site: Site): PlanData['needs'] {
  const list = site.operations.find(({ name }) => name === 'list_tools');
  if (list === undefined) return [];
  const { categories } = site.ask(list, {}) as AnswerOf<'list_tools'>;
  return categories.map(({ slug, name }) => ({ slug, name }));
}
