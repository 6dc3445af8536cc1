import type { parseArgs } from 'node:util';
import { type Day, parseDay } from '../domain/calendar.ts';
import type { Hex } from '../payments/x402/payment.ts';

/** The requested payments and the format of the output. Days are UTC, and include the first and the last. */
export type PurchaseQuery = {
  readonly transaction: Hex | null;
  readonly payer: Hex | null;
  readonly nonce: Hex | null;
  readonly from: Day;
  readonly to: Day;
  readonly isCsv: boolean;
  /** Whether to list only payments without a known answer. */
  readonly isUnanswered: boolean;
  readonly logFiles: readonly string[];
  /** The file with the settings, instead of `.env`. */
  readonly envFile: string | undefined;
};

export const USAGE = `Usage: npm run purchases -- [which] [--from DAY] [--to DAY] [--log FILE] [--csv]
  --tx 0x…       what this transaction paid for
  --payer 0x…    what this account paid for
  --nonce 0x…    what this authorization paid for
  --day DAY      all payments of a day (YYYY-MM-DD, UTC)
  --all          all payments
  --unanswered   payments without a known answer: you may owe their senders money
  --csv          revenue by day and product
  --log FILE     a log of the service, for claims that no longer exist; may be repeated
  --env-file FILE  read the settings from this file instead of .env
Without days, it reads the last seven.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const texts = { tx: text, payer: text, nonce: text, day: text, from: text, to: text };
export const OPTIONS = {
  ...texts,
  csv: flag,
  all: flag,
  unanswered: flag,
  log: { ...text, multiple: true },
  'env-file': text,
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
const DAYS = 6;
const MOST_DAYS = 366;

/** The query in the options of the command, or a sentence on what is wrong with them. */
export function readQuery(values: Values, today: Day): PurchaseQuery | string {
  const hex = (name: 'tx' | 'payer' | 'nonce', bytes: number): Hex | null | string => {
    const given = values[name];
    if (given === undefined) return null;
    return new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i').test(given)
      ? (given.toLowerCase() as Hex)
      : `--${name} must be 0x and ${bytes * 2} hexadecimal digits`;
  };
  const day = (name: 'day' | 'from' | 'to', fallback: Day): Day | string => {
    const given = values[name];
    return given === undefined ? fallback : (parseDay(given) ?? `--${name} must be a day, YYYY-MM-DD`);
  };
  const last = day('to', today);
  const to = day('day', last as Day);
  const from = values.day === undefined ? day('from', ((to as number) - DAYS) as Day) : to;
  const read = { transaction: hex('tx', 32), payer: hex('payer', 20), nonce: hex('nonce', 32), from, to };
  const wrong = Object.values(read).find((value) => typeof value === 'string' && !value.startsWith('0x'));
  if (wrong !== undefined) return String(wrong);
  if (typeof last === 'string') return last;
  if ((from as Day) > (to as Day)) return '--from is after --to';
  if ((to as Day) - (from as Day) > MOST_DAYS) return `at most ${MOST_DAYS} days at a time`;
  const { tx, payer, nonce, csv = false, all, unanswered = false, log = [] } = values;
  if (!csv && !all && !unanswered && !values.day && [tx, payer, nonce].every((one) => one === undefined))
    return 'Specify the purchases: --tx, --payer, --nonce, --day, --all, --unanswered or --csv';
  const envFile = values['env-file'];
  return { ...(read as PurchaseQuery), isCsv: csv, isUnanswered: unanswered, logFiles: log, envFile };
}
