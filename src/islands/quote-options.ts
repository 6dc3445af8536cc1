import { h, render } from 'preact';
import { localMoney } from '../domain/locale.ts';
import { type Micros, type Minor, micros } from '../domain/money.ts';
import { type PackItem, pricedOptions, TIERS } from '../domain/pack-options.ts';
import type { Fault } from '../domain/result.ts';
import { cleanLine } from '../domain/text.ts';
import { validate } from '../exchange/validate.ts';
import { quoteReckoning, requestOf as quoteRequestOf } from '../operations/quote-reckoning.ts';
import { addressIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { linesOf } from '../surfaces/pages/documents/sheet.ts';
import { fieldId } from '../surfaces/pages/form-faults.tsx';
import type { FormField } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import type { OptionsData } from '../surfaces/pages/quote/quote-app.tsx';
import { type OptionsWorked, QuoteOptions } from '../surfaces/pages/quote/quote-options.tsx';
import {
  type Addition,
  type HigherTier,
  isFixed,
  LIST,
  NO_OPTIONS,
  type OptionsWritten,
  tiersOf,
  valuesOf,
} from '../surfaces/pages/quote/quote-state.ts';
import { TRADES, tradeOfLines } from '../trades/trades.ts';
import { today } from './desk.ts';
import { goTo, goToTitle } from './page.ts';
import { mountBought } from './pay/bought.ts';
import { mountPay } from './pay/mount.ts';
import { type PurchaseRequest, requestOf } from './pay/request.ts';
import { actsOn } from './quote-acts.ts';
import type { QuoteDesk } from './quote-desk.ts';

/* The step of three options: their contents, the payment sheet, and the purchased document below the quote. */

const IDEAS = TRADES.map(({ name, words, quote: { better, best } }) => ({ name, words, better, best }));

export function startOptions(desk: QuoteDesk) {
  const { root, dialog, place, data } = placesOf(desk);
  let isOpen = false;
  let missing: readonly string[] = [];
  let faults: readonly Fault[] = [];
  let isCopied = false;
  let drawn: Pick<QuoteDesk['state'], 'written' | 'options'> = desk.state;
  const additions = additionsOf(desk, write);

  const pay = mountPay(dialog, {
    onFaults: (found) => say(found, []),
    onMissing: (says) => say([], says.map(onPage)),
    onBought: (order, body, transaction) => bought.add(order, body, transaction),
    bringUp: (name) => bought.bringUp(name),
    askAnew: () => void ask(),
    goodsOf: ({ about }) => ({ title: titleOf(desk), about, notes: lacksOf(desk) }),
    onKeepNothing: () => desk.forget(),
    free: {
      says: 'Send the quote as is (free)',
      async act() {
        pay.close();
        actsOn(desk).send();
        return null;
      },
    },
  });
  const bought = mountBought(place, pay.shop, (status) => desk.set({ status }));
  printInView(place);
  pay.resume();

  async function copyPrompt(): Promise<void> {
    isCopied = await pay.copyPrompt(purchaseOf(desk, packOf(desk, data)));
    if (!isCopied) desk.set({ status: 'Your browser does not allow copying' });
    draw();
  }
  function ask(): void {
    if (desk.now.faults.length > 0) {
      desk.ask();
      return;
    }
    const pack = packOf(desk, data);
    // The step shows the faults of prices next to them.
    if (pack.faults.length + pack.unread.length > 0) say(pack.faults, []);
    else {
      [faults, missing] = [[], []];
      draw();
      void pay.ask(purchaseOf(desk, pack));
    }
  }
  /** Reports what prevents the options from getting a price. */
  function say(found: readonly Fault[], lacks: readonly string[]): void {
    const names = new Set(data.fields.map(({ name }) => name));
    const isField = ({ pointer }: Fault): boolean => names.has(pointer.split('/')[1] ?? '');
    faults = found.filter(isField);
    missing = [...lacks, ...found.filter((fault) => !isField(fault)).map(saidOf)];
    isOpen = true;
    draw();
    const first = root.querySelector<HTMLElement>('#options-missing > *, [aria-invalid]');
    first?.focus();
    first?.scrollIntoView({ block: 'center' });
  }
  function write(changed: Partial<OptionsWritten>): void {
    missing = [];
    isCopied = false;
    desk.set({ options: { ...(desk.state.options ?? NO_OPTIONS), ...changed } });
    desk.isChanged = true;
    desk.keepNow();
  }
  function draw(): void {
    const { written, options = NO_OPTIONS } = desk.state;
    root.hidden = !isOpen;
    if (!isOpen) return;
    render(
      h(QuoteOptions, {
        trades: IDEAS,
        options,
        lines: valuesOf(written).places.flatMap((index) => written.lines[index] ?? []),
        currency: desk.now.currency,
        worked: workedFrom(packOf(desk, data), desk.now.body !== null),
        price: desk.list.fields.find(({ name }) => name === PRICE) as FormField,
        fields: data.fields,
        missing,
        faults,
        usd: pay.shop.usd,
        paying: pay.shop.isPlayMoney ? null : { network: pay.shop.network, isCopied },
        acts: {
          write,
          writeLine: actsOn(desk).writeLine,
          ...additions,
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
  desk.onSet = () => {
    const { written, options } = desk.state;
    // An offer is for the quote and the options as they were.
    if (written !== drawn.written || options !== drawn.options) pay.changed();
    drawn = { written, options };
    draw();
  };
  draw();
  return {
    open(): void {
      if (desk.now.body === null || desk.now.faults.length > 0) {
        desk.ask();
        return;
      }
      isOpen = true;
      guessTrade(desk);
      draw();
      goToTitle(root.querySelector('h2'));
    },
  };
}

/** The elements of the page that the step fills. */
function placesOf({ data: { options: data } }: QuoteDesk) {
  const root = document.querySelector<HTMLElement>('#options');
  const dialog = document.querySelector<HTMLDialogElement>('#pay');
  const place = document.querySelector<HTMLElement>('#bought');
  if (root === null || dialog === null || place === null || data === null)
    throw new Error('The page has no place for three options');
  return { root, dialog, place, data };
}

const purchaseOf = (desk: QuoteDesk, { values }: Pack): PurchaseRequest => ({
  request: requestOf('POST', desk.data.options?.route ?? '', values),
  about: aboutOf(desk),
  paper: paperQuery({ letterhead: desk.state.written.letterhead, issuedOn: null }),
});

/** The acts that add to an option or take from it. The focus stays where the user works. */
function additionsOf(desk: QuoteDesk, write: (changed: Partial<OptionsWritten>) => void) {
  /** Suggestions that were unchecked, with the price that they had. */
  const unticked = new Map<string, Addition>();
  const addedIn = (tier: HigherTier): readonly Addition[] => (desk.state.options ?? NO_OPTIONS)[tier];
  const guessed = (tier: HigherTier, text: string): Addition => {
    const price = proposedFor(desk)[tier];
    return { text, price, isGuess: price !== '' };
  };
  const without = (tier: HigherTier, addition: Addition) => ({
    [tier]: addedIn(tier).filter((one) => one !== addition),
  });
  return {
    tick(tier: HigherTier, text: string): void {
      const key = `${tier} ${text}`;
      const ticked = addedIn(tier).find((one) => one.text === text);
      if (ticked !== undefined) {
        unticked.set(key, ticked);
        write(without(tier, ticked));
      } else write({ [tier]: [...addedIn(tier), unticked.get(key) ?? guessed(tier, text)] });
    },
    addOwn(tier: HigherTier): void {
      const place = addedIn(tier).length;
      write({ [tier]: [...addedIn(tier), guessed(tier, '')] });
      goTo(fieldId([tier, place]));
    },
    remove(tier: HigherTier, addition: Addition): void {
      write(without(tier, addition));
      goTo(fieldId([tier, 'own']));
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

/** The server's note on what is missing, without API names. */
const onPage = (says: string): string => says.replace(/: list it in .*$/, ': select it or enter it above.');

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

/** What the client will miss on the document. */
function lacksOf({ state }: QuoteDesk): readonly string[] {
  const { business, contact } = state.written.letterhead;
  const lacks = [
    ...(business.trim() === '' ? ['your business name'] : []),
    ...(addressIn(contact) === '' ? ['an email address for accepting it'] : []),
  ];
  return lacks.length === 0
    ? []
    : [`The quote lacks ${lacks.join(' and ')}. You can add this after you pay.`];
}

/** Proposes the trade that the lines are about, if the owner named none. */
function guessTrade(desk: QuoteDesk): void {
  const { written, options = NO_OPTIONS } = desk.state;
  if (options.trade !== '') return;
  const trade = tradeOfLines(written.lines.map(({ values }) => values.description ?? ''))?.name;
  if (trade !== undefined) desk.set({ options: { ...options, trade } });
}

/** The quote in one line, used as the label of the purchase. */
function aboutOf({ state, now }: QuoteDesk): string {
  const lines = state.written.lines.map(({ values }) => cleanLine(values.description ?? '')).filter(Boolean);
  const total = now.body?.formatted.total ?? '';
  const [client = ''] = linesOf(state.written.letterhead.client);
  return [client, lines.slice(0, 3).join('; '), total].filter(Boolean).join(', ').slice(0, 300);
}

/** Proposed round prices: a tenth of the quote, and a seventh for the best option. */
function proposedFor({ now }: QuoteDesk): Readonly<Record<HigherTier, string>> {
  const subtotal = now.body?.subtotal ?? 0;
  return { better: roundSum(subtotal / 10), best: roundSum(subtotal / 7) };
}

function roundSum(sum: number): string {
  if (!(sum > 0)) return '';
  const step = 10 ** Math.max(Math.floor(Math.log10(sum)) - 1, 0) * 5;
  return String(Math.max(Math.round(sum / step) * step, step));
}

/** The options of a request, with their totals if `isComplete`: the quote has no faults. */
function workedFrom({ values, unread, numbers, pointers }: Pack, isComplete: boolean): OptionsWorked {
  const skipped = new Set(unread.map(({ pointer }) => Number(pointer.split('/')[2])));
  const priced = isComplete ? pricedIn(values, skipped) : null;
  const totals = priced?.map(({ tier, quote, currency }) => [
    tier,
    localMoney(quote.total, currency, quote.digits),
  ]);
  // Whether options differ is known once every price can be read.
  const flat = (['better', 'best'] as const).flatMap((tier, index) => {
    const [lower, upper] = priced?.slice(index, index + 2).map(({ quote }) => quote.total) ?? [];
    if (lower === undefined || upper === undefined || upper > lower) return [];
    return [{ tier, isLess: upper < lower }];
  });
  const more = priced?.flatMap(({ tier, quote, currency }, index) => {
    const less = priced[index - 1]?.quote.total;
    if (less === undefined || quote.total <= less) return [];
    return [[tier, localMoney((quote.total - less) as Minor, currency, quote.digits)]];
  });
  return {
    totals: totals === undefined ? null : (Object.fromEntries(totals) as OptionsWorked['totals']),
    more: Object.fromEntries(more ?? []),
    flat: unread.length > 0 ? [] : flat,
    unread,
    numbers,
    pointers,
  };
}

/** The priced options of a request without some of its lines; null if it has faults. */
function pricedIn(pack: Pack['values'], skipped: ReadonlySet<number>) {
  const items = (pack[LIST] as readonly Pick<PackItem, 'tier' | 'tiers' | 'markup'>[]).filter(
    (_, index) => !skipped.has(index),
  );
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
  return priced.ok ? priced.value.map((option) => ({ ...option, currency: quoted.currency })) : null;
}

const PRICE = `${LIST}.unit_price`;

type Pack = ReturnType<typeof packOf>;

/** The request: the quote, its letterhead, and the additions of the more expensive options. */
function packOf(desk: QuoteDesk, data: OptionsData) {
  const { state, now, form, habits } = desk;
  const { written, options = NO_OPTIONS } = state;
  const { places } = valuesOf(written);
  const added = (['better', 'best'] as const).flatMap((tier) =>
    options[tier].map((addition) => ({ tier, addition })),
  );
  const priced = added.filter(({ addition }) => addition.price.trim() !== '');
  const rows = [
    ...(now.values.lists[LIST] ?? []),
    ...priced.map(({ addition: { text, price, isGuess = false } }) => ({
      // The client must not take a guess for the owner's price.
      description: `${text.trim()}${isGuess ? ' (estimate)' : ''}`,
      unit_price: price,
    })),
  ];
  const read = readWritten(form, { ...now.values, lists: { [LIST]: rows } }, habits.grouping);
  const raw = rawValues(read.values);
  const items = ((raw[LIST] ?? []) as readonly object[]).map((item, index) => {
    const addition = priced[index - places.length];
    if (addition !== undefined) return { ...item, tier: addition.tier };
    const line = written.lines[places[index] ?? -1]?.values ?? {};
    const tiers = tiersOf(line);
    return {
      ...item,
      ...(tiers.length < TIERS.length && { tiers }),
      ...(isFixed(line) && { markup: false }),
    };
  });
  const wordsOf = (tier: HigherTier): readonly string[] =>
    options[tier].flatMap(({ text, price }) => (price.trim() === '' && text.trim()) || []);
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
    // Without a best markup, 25 percent could not be distinguished from an absent markup.
    ...(Number(terms.better_markup_percent) === 25 && {
      best_markup_percent: terms.best_markup_percent ?? 50,
    }),
    ...Object.fromEntries(Object.entries(words).filter(([, texts]) => texts.length > 0)),
    ...(options.trade.trim() !== '' && { trade: options.trade.trim() }),
    [LIST]: items,
  };
  const nameless = priced.some(({ addition: { text } }) => text.trim() === '')
    ? [{ code: 'missing', pointer: '/better_adds', detail: 'has a price but no name' }]
    : [];
  return {
    values,
    faults: [...others.faults, ...nameless],
    /** The faults of prices that cannot be read. */
    unread: read.faults,
    numbers: read.numbers,
    pointers: new Map(
      priced.map(({ addition }, index) => [addition, `/${LIST}/${places.length + index}/unit_price`]),
    ),
  };
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
