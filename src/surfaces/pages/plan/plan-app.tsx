import type { Fault } from '../../../domain/result.ts';
import { FaultSummary, faultsAt } from '../form-faults.tsx';
import { Field } from '../form-field.tsx';
import type { FormField, FormModel } from '../form-fields.ts';
import { isTicked, TradeInput, tradeNamed, type Undoing, UndoNote } from '../live-fields.tsx';

/** A suggested trade with its business type. */
type TradeName = { readonly name: string; readonly words: readonly string[]; readonly type: string };

type PlanActs = {
  readonly write: (name: string, value: string) => void;
  readonly ask: () => void;
};

/** The data of the page. */
export type PlanData = {
  readonly form: FormModel;
  readonly trades: readonly TradeName[];
  /** The needs that the directory has tools for, by their API names. */
  readonly needs: readonly { readonly slug: string; readonly name: string }[];
  /** The label of the submit button. */
  readonly submit: string;
  /** null for a free answer. */
  readonly usd: string | null;
  readonly action: string;
  /** Where the script sends the values. */
  readonly method: string;
  readonly route: string;
  readonly attributes: Readonly<Record<string, string>>;
};

export type PlanProps = PlanData & {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
  /** The last action, if it can be undone. */
  readonly undoing: Undoing | null;
  /** The user's actions; null until the script runs. */
  readonly acts: PlanActs | null;
};

/** The questions before an answer, such as a plan; without scripts they are a plain form. */
export function PlanApp(props: PlanProps) {
  const { form, trades, faults, usd, submit, action, attributes, acts } = props;
  return (
    <form
      id="form"
      class="plan-form"
      method="post"
      action={action}
      novalidate={acts !== null}
      {...attributes}
      onSubmit={(event: { preventDefault(): void }) => {
        if (acts === null) return;
        event.preventDefault();
        acts.ask();
      }}
    >
      <UndoNote undoing={props.undoing} />
      <FaultSummary faults={faults} form={form} />
      {trades.length > 0 ? (
        <PlanQuestions {...props} />
      ) : (
        form.fields.map((field) => <PlanField key={field.name} field={field} {...props} />)
      )}
      <p class="buttons">
        <button type="submit">
          {submit}
          {usd === null ? null : <small> ${usd}</small>}
        </button>
      </p>
      {usd === null ? null : (
        <p class="hint">
          You see that your plan is ready before you pay.
          {acts === null ? ' To pay here, your browser needs JavaScript.' : ''}
        </p>
      )}
    </form>
  );
}

/** The business type, if the trade does not imply it, and the owner's needs. */
function PlanQuestions(props: PlanProps) {
  const { form, trades, values, faults, acts } = props;
  const known = kindOf(values.trade ?? '', trades);
  const field = (name: string) => {
    const found = form.fields.find((one) => one.name === name);
    return found === undefined ? null : <PlanField field={found} {...props} />;
  };
  const isKindAsked = acts === null || known === null || faultsAt(faults, '/business_type').length > 0;
  const isMoreOpen = ['needs', 'free_only'].some((name) => faultsAt(faults, `/${name}`).length > 0);
  return (
    <>
      <div class="field">
        <TradeInput
          trades={trades}
          value={values.trade ?? ''}
          isFaulty={faultsAt(faults, '/trade').length > 0}
          onWrite={(trade) => acts?.write('trade', trade)}
        />
        <p id="f-trade-fault" class="fault">
          {faultsAt(faults, '/trade').map(({ detail }) => detail)}
        </p>
      </div>
      {isKindAsked ? field('business_type') : null}
      {field('country')}
      {field('team_size')}
      <details class="plan-needs" open={isMoreOpen || undefined}>
        <summary>{needsWords(values.needs ?? '')}</summary>
        {field('free_only')}
        {acts === null ? field('needs') : <Needs {...props} acts={acts} />}
      </details>
    </>
  );
}

const PlanField = ({ field, values, faults, acts }: PlanProps & { field: FormField }) => (
  <Field
    field={field}
    id={`f-${field.name}`}
    value={values[field.name] ?? ''}
    faults={faultsAt(faults, `/${field.name}`)}
    live={acts === null ? undefined : { onWrite: (value) => acts.write(field.name, value) }}
    isOnPaper
  />
);

/** The selected needs, in the notation of the API. */
const needsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function needsWords(text: string): string {
  const count = needsIn(text).length;
  return count === 0 ? 'Only free tools, or other needs?' : `${count} more ${count === 1 ? 'need' : 'needs'}`;
}

function Needs({ needs, values, acts }: PlanProps & { acts: PlanActs }) {
  const chosen = needsIn(values.needs ?? '');
  const tick = (slug: string, isTicked: boolean): void =>
    acts.write('needs', [...chosen.filter((one) => one !== slug), ...(isTicked ? [slug] : [])].join(','));
  return (
    <fieldset class="ticks">
      <legend class="hidden">What else you need</legend>
      {needs.map(({ slug, name }) => (
        <label key={slug}>
          <input
            type="checkbox"
            checked={chosen.includes(slug)}
            onChange={(event) => tick(slug, isTicked(event))}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The business type of a trade named exactly as in the table; null for any other text. */
export const kindOf = (trade: string, trades: readonly TradeName[]): string | null =>
  tradeNamed(trade, trades)?.type ?? null;
