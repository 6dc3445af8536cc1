import { isDecoy, type Violation } from './books.ts';
import type { Soak } from './soak.ts';

const counted = (names: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
};

const listed = (names: readonly string[]): string =>
  counted(names)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** The results as a table for people. */
export function summary(soak: Soak): string {
  const { seed, size, purchases, books, events, violations, durationMs } = soak;
  const replies = purchases.flatMap((purchase) => purchase.replies);
  const answered = purchases.filter((purchase) => purchase.replies.some(({ status }) => status === 200));
  const left = purchases.filter((purchase) => !answered.includes(purchase));
  const decoys = purchases.flatMap((one) => one.replies.filter((reply) => isDecoy(reply, one)));
  const own = purchases.flatMap(({ signed }) =>
    signed.filter(({ payload }) => books.paid.has(payload.authorization.nonce)),
  );
  const rows: [string, string][] = [
    ['seed', `${seed}`],
    ['purchases', `${purchases.length} (${listed(purchases.map(({ style }) => style))})`],
    ['faults', `${listed(events.filter(({ kind }) => kind === 'fault').map(({ name }) => name))}`],
    [
      'kills',
      `${listed(events.filter(({ kind }) => kind === 'kill').map(({ name }) => name))} of ${size.kills}`,
    ],
    ['presented', `${replies.length}, ${replies.length - purchases.length} of them again`],
    [
      'replies',
      listed(
        replies.map(({ status, code }) => (status === 0 ? 'none' : [status, code].filter(Boolean).join(' '))),
      ),
    ],
    ['answered', `${answered.length}`],
    [
      'left unanswered',
      left.map(({ index, style, replies: heard }) => `${index} (${style}, ${heard.at(-1)?.code})`).join(', '),
    ],
    ['decoys shown', `${decoys.length}, answered ${decoys.filter(({ status }) => status === 200).length}`],
    [
      'paid on chain',
      `${books.paid.size}, ${books.paid.size - own.length} of them to other sellers or too little`,
    ],
    [
      'beside them',
      `${books.unordered} transfers without, ${books.elsewhere} authorizations for somebody else`,
    ],
    ['violations', [violations.length, listed(violations.map(({ what }) => what))].join(' ')],
    ['time', `${Math.round(durationMs / 1000)} s`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(16)} ${value}`).join('\n');
}

/** Violations, with rare kinds first. */
export function rarestFirst(violations: readonly Violation[]): Violation[] {
  const counts = new Map(counted(violations.map(({ what }) => what)));
  const count = ({ what }: Violation) => counts.get(what) ?? 0;
  return [...violations].sort((one, other) => count(one) - count(other));
}

const NEAR_MS = 3_000;

/** Everything known about a violation, enough to investigate it. */
export function account(
  { what, purchase, nonce }: Violation,
  { seed, size, events, books, lines }: Soak,
): string {
  if (purchase === null) return `${what}: ${nonce}`;
  const first = purchase.replies[0]?.atMs ?? 0;
  const last = purchase.replies.at(-1)?.atMs ?? 0;
  const uses = purchase.signed.flatMap(({ payload }) => books.paid.get(payload.authorization.nonce) ?? []);
  const near = events.filter(({ atMs, untilMs }) => untilMs > first - NEAR_MS && atMs < last + NEAR_MS);
  const logged = lines.filter((line) => uses.some(({ transaction }) => line.includes(transaction)));
  return [
    `${what}: purchase ${purchase.index} (${purchase.style}) of --seed ${seed} --purchases ${size.purchases}, ${nonce}`,
    ...purchase.signed.map(
      ({ payload: { authorization } }) =>
        `  signed ${authorization.nonce} until ${authorization.validBefore}`,
    ),
    ...uses.map(({ nonce: by, transaction }) => `  used ${by} in ${transaction}`),
    ...purchase.replies.map(
      (reply) =>
        `  ${reply.atMs} ${reply.at} ${reply.nonce.slice(0, 10)} ${reply.asked === purchase.asked ? '' : isDecoy(reply, purchase) ? 'decoy ' : 'other '}${reply.status} ${reply.code} ${reply.transaction ?? ''}`,
    ),
    ...near.map(({ name, atMs, untilMs }) => `  ${atMs}..${untilMs} ${name}`),
    ...logged.map((line) => `  ${line}`),
  ].join('\n');
}
