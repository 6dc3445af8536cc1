import { TIERS, type TierName } from '../../../domain/pack-options.ts';
import type { Fault } from '../../../domain/result.ts';
import { faultsAt } from '../form-faults.tsx';
import { Field } from '../form-field.tsx';
import type { FormField } from '../form-fields.ts';
import { TradeInput, textIn, tradeNamed } from '../live-fields.tsx';
import { PayingLine, PLAY_MONEY } from '../pay/paying-line.tsx';
import type { Addition, OptionsWritten } from './options-apart.ts';

/* The last step of a quote: two better options, and the price of a pack with all three. */

type Tier = TierName;
export type Dearer = Exclude<Tier, 'good'>;

/** A trade with ideas for what its owners could add to a quote. */
export type TradeIdeas = {
  readonly name: string;
  readonly words: readonly string[];
  readonly better: readonly string[];
  readonly best: readonly string[];
};

type OptionsActs = {
  readonly write: (changed: Partial<OptionsWritten>) => void;
  readonly ask: () => void;
  /** Copies the instructions for an assistant to buy them. */
  readonly copyPrompt: () => void;
  readonly close: () => void;
};

type OptionsProps = {
  readonly trades: readonly TradeIdeas[];
  readonly options: OptionsWritten;
  readonly lines: readonly { readonly key: number; readonly description: string }[];
  readonly currency: string;
  /** The total of each option; null while a line or a price is incomplete. */
  readonly totals: Readonly<Record<Tier, string>> | null;
  /** A proposed price for each ticked addition. */
  readonly proposed: Readonly<Record<Dearer, string>>;
  readonly fields: readonly FormField[];
  /** Fields to fill in before the price can be requested. */
  readonly missing: readonly string[];
  readonly faults: readonly Fault[];
  readonly usd: string;
  /** null with play money, which requires no wallet. */
  readonly paying: { readonly network: string; readonly isCopied: boolean } | null;
  readonly acts: OptionsActs;
};

const NAMES: Readonly<Record<Tier, string>> = { good: 'Essential', better: 'Enhanced', best: 'Premium' };
const nameOf = (tier: Tier, { fields }: OptionsWritten): string =>
  fields[`${tier}_name`]?.trim() || NAMES[tier];

export function QuoteOptions(props: OptionsProps) {
  const { trades, options, missing, faults, fields, usd, paying, acts } = props;
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
      <p class="hint">Only what you tick or write appears on the document.</p>
      {paying === null ? (
        <p class="hint">{PLAY_MONEY}</p>
      ) : (
        <PayingLine usd={usd} {...paying} copyPrompt={acts.copyPrompt} />
      )}
      <div class="field">
        <TradeInput trades={trades} value={options.trade} onWrite={(trade) => acts.write({ trade })} />
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
        <summary>More: names, job, start, stages, exclusions, warranty</summary>
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
      <p class="buttons">
        <button type="button" onClick={acts.ask}>
          See the price <small>${usd}</small>
        </button>
      </p>
    </section>
  );
}

/** An option at a glance: its name, its total, and what it has that the cheaper one does not. */
function Card(props: OptionsProps & { tier: Tier }) {
  const { tier, options, lines, totals } = props;
  const isRecommended = (options.fields.recommended || 'better') === tier;
  const isIn = ({ key }: (typeof lines)[number]): boolean => (options.tiers[key] ?? TIERS).includes(tier);
  return (
    <div class={isRecommended ? 'option-card recommended' : 'option-card'}>
      <h3>
        <bdi>{nameOf(tier, options)}</bdi> {isRecommended ? <span class="tag">Recommended</span> : null}
      </h3>
      <strong>{totals?.[tier]}</strong>
      {tier === 'good' ? (
        <p class="hint">
          {lines.flatMap((line) => (isIn(line) && line.description.trim()) || []).join(', ')}
        </p>
      ) : (
        <Additions {...props} tier={tier} />
      )}
    </div>
  );
}

/** Suggestions to tick, and the owner's additions, each with its own price. */
function Additions({ tier, trades, options, proposed, currency, acts }: OptionsProps & { tier: Dearer }) {
  const before = tier === 'better' ? 'good' : 'better';
  const added = options[tier];
  const ideas = tradeNamed(options.trade, trades)?.[tier] ?? [];
  const own = added.filter(({ text }) => !ideas.includes(text));
  const set = (additions: readonly Addition[]): void => acts.write({ [tier]: additions });
  const guessed = (text: string): Addition => ({
    text,
    price: proposed[tier],
    isGuess: proposed[tier] !== '',
  });
  const change = (addition: Addition, changed: Partial<Addition>): void =>
    set(added.map((one) => (one === addition ? { ...one, ...changed } : one)));
  const price = (addition: Addition) => (
    <input
      class="addition-price"
      inputmode="decimal"
      autocomplete="off"
      aria-label={`Price of ${addition.text || 'this addition'} in ${currency}`}
      placeholder="Price"
      value={addition.price}
      onInput={(event) => change(addition, { price: textIn(event), isGuess: false })}
    />
  );
  return (
    <fieldset class="additions">
      <legend class="hint">Everything in {nameOf(before, options)}, plus</legend>
      {ideas.map((text) => {
        const ticked = added.find((one) => one.text === text);
        return (
          <div class="addition" key={text}>
            <label>
              <input
                type="checkbox"
                checked={ticked !== undefined}
                onChange={() =>
                  set(
                    ticked === undefined ? [...added, guessed(text)] : added.filter((one) => one !== ticked),
                  )
                }
              />
              <span>{text}</span>
            </label>
            {ticked === undefined ? null : price(ticked)}
          </div>
        );
      })}
      {own.map((addition) => (
        <div class="addition" key={added.indexOf(addition)}>
          <input
            aria-label={`What ${nameOf(tier, options)} adds`}
            maxLength={200}
            dir="auto"
            autocomplete="off"
            value={addition.text}
            onInput={(event) => change(addition, { text: textIn(event) })}
          />
          {price(addition)}
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${addition.text || 'this addition'}`}
            onClick={() => set(added.filter((one) => one !== addition))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="link" onClick={() => set([...added, guessed('')])}>
        Add your own
      </button>
    </fieldset>
  );
}

/** Says that some prices are guesses, and lets the owner confirm them. */
function Guesses({ options: { better, best }, acts }: OptionsProps) {
  if (![...better, ...best].some(({ isGuess }) => isGuess)) return null;
  const confirmed = (added: readonly Addition[]) => added.map((one) => ({ ...one, isGuess: false }));
  return (
    <div class="note guesses">
      <p>
        These prices are guesses based on your total. Write your own, or your client will see “estimate” next
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
  const { fixed, tiers, fields } = options;
  const isMarkedUp = fixed.length > 0 || Boolean(fields.better_markup_percent ?? fields.best_markup_percent);
  return (
    <details class="options-lines" open={fixed.length > 0 || Object.keys(tiers).length > 0 || undefined}>
      <summary>Which lines are in which option</summary>
      {lines.map(({ key, description }, index) => {
        const has = options.tiers[key] ?? TIERS;
        return (
          <fieldset class="line-tiers" key={key}>
            <legend>
              <bdi>{description.trim() || `Line ${index + 1}`}</bdi>
            </legend>
            {TIERS.map((tier) => (
              <label key={tier}>
                <input
                  type="checkbox"
                  checked={has.includes(tier)}
                  onChange={() => {
                    const changed = TIERS.filter((one) => (one === tier) !== has.includes(one));
                    // A line must stay in at least one option.
                    if (changed.length > 0) acts.write({ tiers: { ...options.tiers, [key]: changed } });
                  }}
                />{' '}
                {nameOf(tier, options)}
              </label>
            ))}
            {isMarkedUp ? (
              <label>
                <input
                  type="checkbox"
                  checked={fixed.includes(key)}
                  onChange={() =>
                    acts.write({
                      fixed: fixed.includes(key) ? fixed.filter((one) => one !== key) : [...fixed, key],
                    })
                  }
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
