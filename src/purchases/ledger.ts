import { boughtBy, dollars, type Product, type PurchaseEvidence } from './evidence.ts';
import type { Payment } from './incoming-payments.ts';

/** Revenue by day and product as CSV, and the total. */
export type Ledger = { readonly csv: string; readonly total: bigint; readonly count: number };

export function ledgerOf(
  entries: readonly { readonly payment: Payment; readonly known: PurchaseEvidence }[],
  products: readonly Product[],
): Ledger {
  const rows = new Map<string, { count: number; sum: bigint }>();
  let total = 0n;
  for (const { payment, known } of entries) {
    const day = new Date(payment.at * 1_000).toISOString().slice(0, 10);
    const key = `${day},${cell(boughtBy(payment, known, products).product)}`;
    const row = rows.get(key) ?? { count: 0, sum: 0n };
    rows.set(key, { count: row.count + 1, sum: row.sum + payment.value });
    total += payment.value;
  }
  const lines = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { count, sum }]) => `${key},${count},${dollars(sum)}`);
  return { csv: `${['day,product,count,usd', ...lines].join('\n')}\n`, total, count: entries.length };
}

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
