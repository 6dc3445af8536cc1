import { TIERS, type TierName } from '../../../domain/pack-options.ts';
import type { Fault } from '../../../domain/result.ts';
import { countedText } from '../../../domain/text.ts';
import { faultsAt, fieldId } from '../form-faults.tsx';
import { Field } from '../form-field.tsx';
import type { FormField } from '../form-fields.ts';
import type { Row } from '../form-values.ts';
import { type LiveValues, liveOf, TradeInput, textIn, tradeNamed } from '../live-fields.tsx';
import { PayingLine, PLAY_MONEY } from '../pay/paying-line.tsx';
import {
  type Addition,
  type HigherTier,
  hasOwnOptions,
  isFixed,
  type Line,
  type OptionsWritten,
  tiersOf,
} from './quote-state.ts';

/* The last step of a quote: two better options, and the price of a pack with all three. */

/** A trade with ideas for what its owners could add to a quote. */
export type TradeIdeas = {
  readonly name: string;
  readonly words: readonly string[];
  readonly better: readonly string[];
  readonly best: readonly string[];
};

type OptionsActs = {
  readonly write: (changed: Partial<OptionsWritten>) => void;
  readonly writeLine: (key: number, name: string, value: string) => void;
  readonly tick: (tier: HigherTier, text: string) => void;
  readonly addOwn: (tier: HigherTier) => void;
  readonly remove: (tier: HigherTier, addition: Addition) => void;
  readonly ask: () => void;
  /** Copies the instructions for an assistant to buy them. */
  readonly copyPrompt: () => void;
  readonly close: () => void;
};

/** The options as the page calculates them. */
export type OptionsWorked = LiveValues['worked'] & {
  /** The total of each option; null while a line is incomplete. */
  readonly totals: Readonly<Record<TierName, string>> | null;
  /** How much more a higher option costs than the one before it; omitted if it costs no more. */
  readonly more: Readonly<Partial<Record<TierName, string>>>;
  /** The options that cost no more than the one before them. */
  readonly flat: readonly { readonly tier: HigherTier; readonly isLess: boolean }[];
  /** The pointer of the price of each addition. */
  readonly pointers: ReadonlyMap<Addition, string>;
  /** The faults of prices that cannot be read. */
  readonly unread: readonly Fault[];
};

type OptionsProps = {
  readonly trades: readonly TradeIdeas[];
  readonly options: OptionsWritten;
  readonly lines: readonly Line[];
  readonly currency: string;
  readonly worked: OptionsWorked;
  /** The field of a price. */
  readonly price: FormField;
  readonly fields: readonly FormField[];
  /** Fields to fill in before the price can be requested. */
  readonly missing: readonly string[];
  readonly faults: readonly Fault[];
  readonly usd: string;
  /** null with play money, which requires no wallet. */
  readonly paying: { readonly network: string; readonly isCopied: boolean } | null;
  readonly acts: OptionsActs;
};

const NAMES: Readonly<Record<TierName, string>> = { good: 'Essential', better: 'Enhanced', best: 'Premium' };
const nameOf = (tier: TierName, { fields }: OptionsWritten): string =>
  fields[`${tier}_name`]?.trim() || NAMES[tier];

const BEFORE = { better: 'good', best: 'better' } as const;

export function QuoteOptions(props: OptionsProps) {
  const { trades, options, missing, faults, fields, usd, paying, worked, acts } = props;
  return (
    <section class="quote-options" aria-labelledby="options-title">
      <div class="options-head">
        <h2 id="options-title" tabindex={-1}>
          Three options
        </h2>
        <button type="button" class="quiet" onClick={acts.close}>
          Close
        </button>
      </div>
      {paying === null ? (
        <p class="hint">{PLAY_MONEY}</p>
      ) : (
        <PayingLine usd={usd} {...paying} copyPrompt={acts.copyPrompt} />
      )}
      <div class="field">
        <TradeInput trades={trades} value={options.trade} onWrite={(trade) => acts.write({ trade })} />
        <p class="hint">Only what you select or enter appears on the document.</p>
      </div>
      <div class="option-cards">
        {TIERS.map((tier) => (
          <Card {...props} tier={tier} />
        ))}
      </div>
      <Guesses {...props} />
      <Lines {...props} />
      <details
        class="options-more"
        open={faults.length > 0 || Object.values(options.fields).some(Boolean) || undefined}
      >
        <summary>More: names, start, payment, exclusions, warranty</summary>
        <div class="fields">
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              id={`f-${field.name}`}
              value={options.fields[field.name] ?? ''}
              faults={faultsAt(faults, `/${field.name}`)}
              live={{
                onWrite: (value) => acts.write({ fields: { ...options.fields, [field.name]: value } }),
              }}
              isOnPaper
            />
          ))}
        </div>
      </details>
      <div id="options-missing" role="alert">
        {missing.length === 0 ? null : (
          <div class="note warning" tabindex={-1}>
            {missing.map((says) => (
              <p>{says}</p>
            ))}
          </div>
        )}
      </div>
      <div id="options-same" role="status">
        {worked.flat.length === 0 ? null : <p class="hint">{sameWords(worked.flat, options)}</p>}
      </div>
      <p class="buttons">
        <button type="button" onClick={acts.ask} disabled={worked.flat.length > 0}>
          See the price <small>${usd}</small>
        </button>
      </p>
    </section>
  );
}

/** "Premium costs the same as Enhanced. Select or enter what it adds, with a price." */
function sameWords(flat: OptionsWorked['flat'], options: OptionsWritten): string {
  const [first] = flat;
  const name = (tier: TierName): string => nameOf(tier, options);
  if (first === undefined) return '';
  if (flat.length > 1 && flat.every(({ isLess }) => !isLess))
    return `All three options cost the same. Select or enter what ${name('better')} and ${name('best')} add, with a price.`;
  const costs = first.isLess ? 'costs less than' : 'costs the same as';
  return `${name(first.tier)} ${costs} ${name(BEFORE[first.tier])}. Select or enter what it adds, with a price.`;
}

/** An option at a glance: its name, its total, and what it has that the cheaper one does not. */
function Card(props: OptionsProps & { tier: TierName }) {
  const { tier, options, lines, worked } = props;
  const { recommended, price_per: per = '' } = options.fields;
  const isRecommended = (recommended || 'better') === tier;
  const before = tier === 'good' ? null : BEFORE[tier];
  const isIn = ({ values }: Line, one: TierName | null) => one !== null && tiersOf(values).includes(one);
  const held = lines.filter((line) => isIn(line, tier) && !isIn(line, before));
  const gone = lines.filter((line) => !isIn(line, tier) && isIn(line, before));
  const less = gone.length === 0 ? '' : ` except ${gone.map(({ values }) => nameIn(values)).join(', ')}`;
  const list =
    held.length === 0 ? null : (
      <ul>
        {held.map(({ key, values }) => (
          <li key={key}>{nameIn(values)}</li>
        ))}
      </ul>
    );
  return (
    <div class={isRecommended ? 'option-card recommended' : 'option-card'}>
      <h3>
        <bdi>{nameOf(tier, options)}</bdi> {isRecommended ? <span class="tag">Recommended</span> : null}
      </h3>
      <strong class={worked.unread.length === 0 ? undefined : 'unfinished'}>
        {worked.totals?.[tier] ?? '–'}
        {per === '' ? null : <small> per {per}</small>}
      </strong>
      {worked.more[tier] === undefined ? null : <span class="hint">{worked.more[tier]} more</span>}
      {before === null ? (
        list
      ) : (
        <fieldset class="additions">
          <legend class="hint">
            Everything in {nameOf(before, options)}
            {less}, plus
          </legend>
          {list}
          <Additions {...props} tier={tier as HigherTier} />
        </fieldset>
      )}
    </div>
  );
}

/** "Mowing, 2 hours" */
function nameIn({ description = '', quantity = '', unit = '' }: Row): string {
  const count = unit.trim() === '' ? '' : countedText(quantity.trim() || '1', unit.trim());
  return [description.trim(), count].filter(Boolean).join(', ');
}

/** Suggestions to select, and the owner's additions, each with its own price. */
function Additions(props: OptionsProps & { tier: HigherTier }) {
  const { tier, trades, options, acts } = props;
  const added = options[tier];
  const ideas = tradeNamed(options.trade, trades)?.[tier] ?? [];
  const own = added.filter(({ text }) => !ideas.includes(text));
  const change = (addition: Addition, changed: Partial<Addition>): void =>
    acts.write({ [tier]: added.map((one) => (one === addition ? { ...one, ...changed } : one)) });
  const priceOf = (addition: Addition) => (
    <Price {...props} addition={addition} onWrite={(price) => change(addition, { price, isGuess: false })} />
  );
  return (
    <>
      {ideas.map((text) => {
        const ticked = added.find((one) => one.text === text);
        return (
          <div class="addition" key={text}>
            <label>
              <input type="checkbox" checked={ticked !== undefined} onChange={() => acts.tick(tier, text)} />
              <span>{text}</span>
            </label>
            {ticked === undefined ? null : priceOf(ticked)}
          </div>
        );
      })}
      {own.map((addition) => (
        <div class="addition" key={added.indexOf(addition)}>
          <input
            id={fieldId([tier, added.indexOf(addition)])}
            aria-label={`What ${nameOf(tier, options)} adds`}
            maxLength={200}
            dir="auto"
            autocomplete="off"
            placeholder="What it adds"
            value={addition.text}
            onInput={(event) => change(addition, { text: textIn(event) })}
          />
          {priceOf(addition)}
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${addition.text || 'this addition'}`}
            onClick={() => acts.remove(tier, addition)}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="link" id={fieldId([tier, 'own'])} onClick={() => acts.addOwn(tier)}>
        Add your own
      </button>
    </>
  );
}

type PriceProps = OptionsProps & {
  readonly tier: HigherTier;
  readonly addition: Addition;
  readonly onWrite: (price: string) => void;
};

/** The price of an addition, read in the same way as the prices of the quote. */
function Price({ tier, addition, options, price, worked, currency, onWrite }: PriceProps) {
  const pointer = worked.pointers.get(addition) ?? 'none';
  const value = addition.price;
  return (
    <Field
      field={{
        ...price,
        label: `Price of ${addition.text || 'this addition'} in ${currency}`,
        example: 'Price',
      }}
      id={fieldId([tier, options[tier].indexOf(addition), 'price'])}
      value={value}
      faults={faultsAt(worked.unread, pointer)}
      live={liveOf({ worked, currency }, { pointer, name: price.name, value }, onWrite)}
      isOnPaper
    />
  );
}

/** Says that some prices are guesses, and lets the owner confirm them. */
function Guesses({ options: { better, best }, acts }: OptionsProps) {
  if (![...better, ...best].some(({ isGuess }) => isGuess)) return null;
  const confirmed = (added: readonly Addition[]) => added.map((one) => ({ ...one, isGuess: false }));
  return (
    <div class="note guesses">
      <p>
        These prices are guesses based on your total. Enter your own, or your client will see “estimate” next
        to them.
      </p>
      <button
        type="button"
        class="quiet"
        onClick={() => acts.write({ better: confirmed(better), best: confirmed(best) })}
      >
        Use these prices
      </button>
    </div>
  );
}

/** The options that include each line of the quote; all three by default. */
function Lines({ lines, options, acts }: OptionsProps) {
  const { better_markup_percent: better, best_markup_percent: best } = options.fields;
  const isMarkedUp = Boolean(better ?? best) || lines.some(({ values }) => isFixed(values));
  return (
    <details class="options-lines" open={lines.some(hasOwnOptions) || undefined}>
      <summary>Which lines are in which option</summary>
      {lines.map(({ key, values }, index) => {
        const has = tiersOf(values);
        return (
          <fieldset class="line-tiers" key={key}>
            <legend>
              <bdi>{values.description?.trim() || `Line ${index + 1}`}</bdi>
            </legend>
            {TIERS.map((tier) => (
              <label key={tier}>
                <input
                  type="checkbox"
                  checked={has.includes(tier)}
                  onChange={() => {
                    const changed = TIERS.filter((one) => (one === tier) !== has.includes(one));
                    // A line must stay in at least one option.
                    if (changed.length > 0) acts.writeLine(key, 'tiers', changed.join(' '));
                  }}
                />{' '}
                {nameOf(tier, options)}
              </label>
            ))}
            {isMarkedUp ? (
              <label>
                <input
                  type="checkbox"
                  checked={isFixed(values)}
                  onChange={() => acts.writeLine(key, 'markup', isFixed(values) ? '' : 'false')}
                />{' '}
                Same price in every option
              </label>
            ) : null}
          </fieldset>
        );
      })}
    </details>
  );
}
