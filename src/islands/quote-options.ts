import { h, render } from 'preact';
import { localMoney } from '../domain/locale.ts';
import { type Micros, micros } from '../domain/money.ts';
import { type PackItem, pricedOptions, TIERS, type TierName } from '../domain/pack-options.ts';
import type { Fault } from '../domain/result.ts';
import { cleanLine } from '../domain/text.ts';
import { validate } from '../exchange/validate.ts';
import { quoteReckoning, requestOf as quoteRequestOf } from '../operations/quote-reckoning.ts';
import { paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { linesOf } from '../surfaces/pages/documents/sheet.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import { NO_OPTIONS } from '../surfaces/pages/quote/options-apart.ts';
import type { OptionsData } from '../surfaces/pages/quote/quote-app.tsx';
import { type Dearer, QuoteOptions } from '../surfaces/pages/quote/quote-options.tsx';
import { LIST, valuesOf, type Written } from '../surfaces/pages/quote/quote-state.ts';
import { TRADES } from '../trades/trades.ts';
import { today } from './desk.ts';
import { goToTitle } from './page.ts';
import { mountBought } from './pay/bought.ts';
import { mountPay } from './pay/mount.ts';
import { type PurchaseRequest, requestOf } from './pay/request.ts';
import { actsOn } from './quote-acts.ts';
import { forgetDraft, type QuoteDesk } from './quote-desk.ts';

/* The step of three options: their contents, the payment sheet, and the purchased document below the quote. */

const IDEAS = TRADES.map(({ name, words, quote: { better, best } }) => ({ name, words, better, best }));

export function startOptions(desk: QuoteDesk) {
  const root = document.querySelector<HTMLElement>('#options');
  const dialog = document.querySelector<HTMLDialogElement>('#pay');
  const place = document.querySelector<HTMLElement>('#bought');
  const { options: data } = desk.data;
  if (root === null || dialog === null || place === null || data === null)
    throw new Error('The page has no place for three options');
  let isOpen = false;
  let missing: readonly string[] = [];
  let faults: readonly Fault[] = [];
  let isCopied = false;

  const pay = mountPay(dialog, {
    onFaults: (found) => say(found, []),
    onMissing: (says) => say([], says.map(onPage)),
    onBought: (order, body, transaction) => bought.add(order, body, transaction),
    bringUp: (name) => bought.bringUp(name),
    askAnew: () => void ask(),
    goodsOf: ({ about }) => ({ title: titleOf(desk), about, notes: [] }),
    onKeepNothing: forgetDraft,
    free: quoteAlone(desk, () => pay.close()),
  });
  const bought = mountBought(place, pay.shop);
  printInView(place);
  pay.resume();

  function wanted() {
    const { values, unread } = packValues(desk, data as OptionsData);
    const { letterhead } = desk.state.written;
    const purchase: PurchaseRequest = {
      request: requestOf('POST', (data as OptionsData).route, values),
      about: aboutOf(desk),
      paper: paperQuery({ letterhead, issuedOn: null }),
    };
    return { purchase, unread };
  }
  async function copyPrompt(): Promise<void> {
    isCopied = await pay.copyPrompt(wanted().purchase);
    if (!isCopied) desk.set({ status: 'Your browser does not allow copying' });
    draw();
  }
  function ask(): void {
    if (desk.now.faults.length > 0) {
      desk.ask();
      return;
    }
    const { purchase, unread } = wanted();
    if (unread.length > 0) say(unread, []);
    else {
      [faults, missing] = [[], []];
      draw();
      void pay.ask(purchase);
    }
  }
  /** Reports what prevents the options from getting a price. */
  function say(found: readonly Fault[], lacks: readonly string[]): void {
    const names = new Set((data as OptionsData).fields.map(({ name }) => name));
    const isField = ({ pointer }: Fault): boolean => names.has(pointer.split('/')[1] ?? '');
    faults = found.filter(isField);
    missing = [...lacks, ...found.filter((fault) => !isField(fault)).map(saidOf)];
    isOpen = true;
    draw();
    const first = root?.querySelector<HTMLElement>('#options-missing > *, [aria-invalid]');
    first?.focus();
    first?.scrollIntoView({ block: 'center' });
  }
  function draw(): void {
    if (root === null || data === null) return;
    const { written, options = NO_OPTIONS } = desk.state;
    root.hidden = !isOpen;
    render(
      h(QuoteOptions, {
        trades: IDEAS,
        options,
        lines: linesIn(written),
        currency: desk.now.currency,
        totals: isOpen && desk.now.body !== null ? totalsOf(packValues(desk, data).values) : null,
        proposed: proposedFor(desk),
        fields: data.fields,
        missing,
        faults,
        usd: pay.shop.usd,
        paying: pay.shop.isPlayMoney ? null : { network: pay.shop.network, isCopied },
        acts: {
          write(changed) {
            missing = [];
            isCopied = false;
            pay.changed();
            desk.set({ options: { ...options, ...changed } });
            desk.isChanged = true;
            desk.keepNow();
          },
          ask,
          copyPrompt: () => void copyPrompt(),
          close() {
            isOpen = false;
            draw();
          },
        },
      }),
      root,
    );
  }
  desk.onSet = draw;
  draw();
  return {
    open(): void {
      if (desk.now.body === null || desk.now.faults.length > 0) {
        desk.ask();
        return;
      }
      isOpen = true;
      draw();
      goToTitle(root.querySelector('h2'));
    },
  };
}

/**
 * The browser's own print command prints the bought options if they are on the screen, instead of the quote above them.
 */
function printInView(place: HTMLElement): void {
  addEventListener('beforeprint', () => {
    const box = place.querySelector('.sheet')?.getBoundingClientRect();
    if (box === undefined || document.body.dataset.printing !== undefined) return;
    if (box.top > innerHeight / 2 || box.bottom < innerHeight / 2) return;
    document.body.dataset.printing = 'bought';
    addEventListener('afterprint', () => delete document.body.dataset.printing, { once: true });
  });
}

/** What a visitor without a wallet can still do: send the quote behind the options. */
const quoteAlone = (desk: QuoteDesk, close: () => void) => ({
  says: 'Send the quote as is (free)',
  async act() {
    close();
    actsOn(desk).send();
    return null;
  },
});

/** The lines that the options can include, by their text. */
const linesIn = (written: Written) =>
  valuesOf(written).places.flatMap((index) => {
    const line = written.lines[index];
    return line === undefined ? [] : [{ key: line.key, description: line.values.description ?? '' }];
  });

/** The server's note on what is missing, without API names. */
const onPage = (says: string): string =>
  says
    .replace(/: list it in .*$/, ': tick it or write it above.')
    .replace(/: put its additions on .*$/, ': tick additions with prices above, or enter a markup.');

const SUBJECTS: Readonly<Record<string, string>> = {
  items: 'A line or a price',
  better_adds: 'An addition',
  best_adds: 'An addition',
  trade: 'Your trade',
  client_name: 'The client’s name',
  business_name: 'Your business name',
  quote_number: 'The quote number',
};

/** The sentence on a fault of a value that has no field in this step. */
const saidOf = ({ pointer, detail }: Fault): string =>
  `${SUBJECTS[pointer.split('/')[1] ?? ''] ?? 'The quote'} ${detail}.`;

/** "Three options for Harrow & Finch" */
function titleOf({ state }: QuoteDesk): string {
  const [client = ''] = linesOf(state.written.letterhead.client);
  return client === '' ? 'Three options of your quote' : `Three options for ${client}`;
}

/** The quote in one line, used as the label of the purchase. */
function aboutOf({ state, now }: QuoteDesk): string {
  const lines = state.written.lines.map(({ values }) => cleanLine(values.description ?? '')).filter(Boolean);
  const total = now.body?.formatted.total ?? '';
  const [client = ''] = linesOf(state.written.letterhead.client);
  return [client, lines.slice(0, 3).join('; '), total].filter(Boolean).join(', ').slice(0, 300);
}

/** Proposed round prices: a tenth of the quote, and a seventh for the best option. */
function proposedFor({ now }: QuoteDesk): Readonly<Record<Dearer, string>> {
  const subtotal = now.body?.subtotal ?? 0;
  return { better: roundSum(subtotal / 10), best: roundSum(subtotal / 7) };
}

function roundSum(sum: number): string {
  if (!(sum > 0)) return '';
  const step = 10 ** Math.max(Math.floor(Math.log10(sum)) - 1, 0) * 5;
  return String(Math.max(Math.round(sum / step) * step, step));
}

/** The total of each option in a request; null if it has faults. */
function totalsOf(pack: ReturnType<typeof packValues>['values']): Readonly<Record<TierName, string>> | null {
  const items = pack[LIST] as readonly Pick<PackItem, 'tier' | 'tiers' | 'markup'>[];
  const lines = items.map(({ tier: _, tiers: __, markup: ___, ...line }) => line);
  const tiers = items.map(({ tier, tiers: named, markup }) => ({ tier, tiers: named, markup }));
  const { price_per: _, extra_terms: __, ...values } = pack;
  const context = { today: today() };
  const validated = validate(quoteReckoning, { values: { ...values, [LIST]: lines }, faults: [] }, context);
  if (!validated.ok) return null;
  const quoted = quoteRequestOf(validated.input as Parameters<typeof quoteRequestOf>[0], context);
  const numberOf = (name: string) => micros(String(pack[name] ?? ''));
  const bestMarkup = numberOf('best_markup_percent');
  const priced = pricedOptions({
    ...quoted,
    items: quoted.items.map((item, index) => ({ ...item, ...tiers[index] })),
    businessName: null,
    adds: { better: pack.better_adds as string[], best: pack.best_adds as string[] },
    // Before anything is added, all options have the prices of the quote.
    betterMarkup: numberOf('better_markup_percent') ?? (micros(bestMarkup === null ? '0' : '25') as Micros),
    bestMarkup,
    roundUnitTo: numberOf('round_unit_to') ?? undefined,
  });
  if (!priced.ok) return null;
  const totals = priced.value.map(({ tier, quote }) => [
    tier,
    localMoney(quote.total, quoted.currency, quote.digits),
  ]);
  return Object.fromEntries(totals) as Record<TierName, string>;
}

/** The request: the quote, its letterhead, and the additions of the more expensive options. */
function packValues(desk: QuoteDesk, data: OptionsData) {
  const { state, now, form, habits } = desk;
  const { written, options = NO_OPTIONS } = state;
  const { places } = valuesOf(written);
  const added = (['better', 'best'] as const).flatMap((tier) =>
    options[tier].filter(({ text }) => text.trim() !== '').map((addition) => ({ tier, ...addition })),
  );
  const priced = added.filter(({ price }) => price.trim() !== '');
  const rows = [
    ...(now.values.lists[LIST] ?? []),
    ...priced.map(({ text, price, isGuess = false }) => ({
      // The client must not take a guess for the owner's price.
      description: `${text.trim()}${isGuess ? ' (estimate)' : ''}`,
      unit_price: price,
    })),
  ];
  const read = readWritten(form, { ...now.values, lists: { [LIST]: rows } }, habits.grouping);
  const raw = rawValues(read.values);
  const items = (raw[LIST] as readonly object[]).map((item, index) => {
    const key = written.lines[places[index] ?? -1]?.key ?? -1;
    const tiers = options.tiers[key];
    const addition = priced[index - places.length];
    if (addition !== undefined) return { ...item, tier: addition.tier };
    return {
      ...item,
      ...(tiers !== undefined && tiers.length < TIERS.length && { tiers }),
      ...(options.fixed.includes(key) && { markup: false }),
    };
  });
  const wordsOf = (tier: Dearer): readonly string[] =>
    added.filter((one) => one.tier === tier && one.price.trim() === '').map(({ text }) => text.trim());
  const others = readWritten(
    { fields: data.fields, lists: [] },
    { fields: options.fields, lists: {} },
    habits.grouping,
  );
  const words = { better_adds: wordsOf('better'), best_adds: wordsOf('best') };
  const terms = rawValues(others.values);
  const values: Readonly<Record<string, unknown>> = {
    ...raw,
    ...onLetterhead(written.letterhead),
    ...terms,
    // Without a best markup, 25 percent could not be told from an absent markup.
    ...(Number(terms.better_markup_percent) === 25 && {
      best_markup_percent: terms.best_markup_percent ?? 50,
    }),
    ...Object.fromEntries(Object.entries(words).filter(([, texts]) => texts.length > 0)),
    ...(options.trade.trim() !== '' && { trade: options.trade.trim() }),
    [LIST]: items,
  };
  const nameless = (['better', 'best'] as const).flatMap((tier) =>
    options[tier].some(({ text, price }) => text.trim() === '' && price.trim() !== '')
      ? [{ code: 'missing', pointer: `/${tier}_adds`, detail: 'has a price but no name' }]
      : [],
  );
  return { values, unread: [...read.faults, ...others.faults, ...nameless] };
}

const LONGEST_NAME = 120;

/** The letterhead values that the operation accepts. */
function onLetterhead(
  letterhead: QuoteDesk['state']['written']['letterhead'],
): Readonly<Record<string, string>> {
  const [client = ''] = linesOf(letterhead.client);
  const said = {
    business_name: cleanLine(letterhead.business),
    client_name: client,
    job: cleanLine(letterhead.about),
    quote_number: cleanLine(letterhead.number),
  };
  return Object.fromEntries(
    Object.entries(said).filter(([, text]) => text !== '' && [...text].length <= LONGEST_NAME),
  );
}
