import type { Mishap } from './losing-proxy.ts';

/** A purchase on a page; `mark` distinguishes it from others and appears in its answer. */
export type Ware = {
  readonly path: string;
  readonly price: string;
  /** Millionths of a dollar. */
  readonly charge: bigint;
  /** The address to open first, if it differs. */
  readonly opens?: string;
  /** The place of the answer, if it is not "#result". */
  readonly place?: string;
  /** The button that requests the price. */
  readonly asks?: string;
  readonly written: (mark: string) => Readonly<Record<string, string>>;
  readonly answer: (mark: string) => string;
};

export const LETTER: Ware = {
  path: '/late-invoice',
  price: '0.01',
  charge: 10_000n,
  written: (mark) => ({
    amount: '1250',
    due_date: '2026-11-04',
    paid_date: '2026-11-21',
    client_name: mark,
  }),
  answer: (mark) => `Hello ${mark},`,
};
const PACK: Ware = {
  path: '/quote',
  price: '0.05',
  charge: 50_000n,
  opens:
    '/quote#items.description=Lawn&items.quantity=2&items.unit_price=450&currency=USD&better_markup_percent=10&better_adds=Edging&best_adds=Hedges',
  place: '#bought',
  asks: 'See the price',
  written: (mark) => ({ 'items-0-description': mark }),
  answer: (mark) => mark,
};
const REPORT: Ware = {
  path: '/plan',
  price: '1.00',
  charge: 1_000_000n,
  asks: 'Make my plan',
  written: () => ({ business_type: 'trades', team_size: '4' }),
  answer: () => 'Accounts to open:',
};

/** The state of a purchase when its tab was left. */
type Step = { readonly step: string; readonly mishap: Mishap | null; readonly shows: string };
const STEPS: readonly Step[] = [
  { step: 'the payment was signed and never arrived', mishap: 'request lost', shows: 'Paying' },
  { step: 'the service was paid and its reply was lost', mishap: 'reply lost', shows: 'Paying' },
  { step: 'half of the reply had come', mishap: 'reply cut', shows: 'Paying' },
  { step: 'the reply was on its way', mishap: 'reply held', shows: 'Paying' },
  { step: 'the answer was there', mishap: null, shows: '' },
];

/** The ways in which a user returns to a page. */
export const WAYS = ['closed and opened again', 'loaded again', 'opened in a second tab'] as const;
export type Way = (typeof WAYS)[number];

type Interruption = Step & { readonly ware: Ware; readonly way: Way };

/**
 * Each step is combined with each way and with each product. The products share their code, so not every triple is
 * tried.
 */
const INTERRUPTIONS: readonly Interruption[] = STEPS.flatMap((row, index) =>
  [LETTER, PACK, REPORT].map((ware, other) => ({
    ...row,
    ware,
    way: WAYS[(index + other) % WAYS.length] as Way,
  })),
);

/** All interruptions for Chromium. Another engine gets each step once, and all ways and products over the steps. */
export const interruptionsIn = (engine: string): readonly Interruption[] =>
  engine === 'Chromium'
    ? INTERRUPTIONS
    : INTERRUPTIONS.filter((_, index) => index % 3 === Math.floor(index / 3) % 3);
