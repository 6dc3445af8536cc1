import type { SignedPayment } from '../support/payments.ts';
import type { Stage } from './faults.ts';
import { type Purchase, present, type Reply, sign } from './purchase.ts';
import type { Random } from './random.ts';
import { styles } from './styles.ts';

const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
const MOST_SIGNATURES = 12;
const LONGEST_PAUSE_MS = 2_000;

/** The action that docs/payments.md tells a buyer to take after a reply. */
export function next({ status, code }: Reply): 'done' | 'again' | 'sign anew' {
  if (status === 200) return 'done';
  if (status === 402) return 'sign anew';
  if (status === 409 && code !== 'waiting') return 'sign anew';
  return 'again';
}

/** Takes a purchase to its answer, or as far as it gets until `isOver`. */
export async function buy(
  stage: Stage,
  purchase: Purchase,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const style = styles[purchase.style];
  if (style === undefined) throw new Error(`Nobody buys ${purchase.style}`);
  let payment = await style.begin({ ...stage, purchase, random });
  for (let tries = 0; !isOver(); tries += 1) {
    if (isAnswered(purchase)) return;
    const last = await style.attempt({ ...stage, purchase, random }, payment, tries);
    const step = next(last);
    if (isAnswered(purchase)) return;
    if (purchase.signed.length >= MOST_SIGNATURES && step === 'sign anew') return;
    if (step === 'sign anew' || style.signsAnew) payment = await sign(stage.world, purchase, random);
    if (step === 'again')
      await wait(Math.min(random.whole(20, 300) * 2 ** Math.min(tries, 4), LONGEST_PAUSE_MS));
  }
}

/** Continues with the last presented payment, or with a new one if the buyer keeps none. */
export async function collect(
  { world }: Stage,
  purchase: Purchase,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  let payment = purchase.signed.at(-1) as SignedPayment;
  while (!isAnswered(purchase) && !isOver()) {
    const step = next(await present(random.pick(world.instances), purchase, payment));
    if (step === 'sign anew' || styles[purchase.style]?.signsAnew)
      payment = await sign(world, purchase, random);
    await wait(random.whole(200, 1_000));
  }
}

/**
 * Makes one request for the answer that a payment has bought, for any request, with a new payment if the buyer keeps
 * none.
 */
export async function collectPaid(
  { world }: Stage,
  purchase: Purchase,
  payment: SignedPayment,
  random: Random,
): Promise<void> {
  const shown = styles[purchase.style]?.signsAnew ? await sign(world, purchase, random) : payment;
  const { code } = await present(random.pick(world.instances), purchase, shown);
  if (code !== 'payment_already_used') return;
  await present(random.pick(world.instances), purchase, payment, { asked: purchase.other });
}

export const isAnswered = ({ replies, asked }: Purchase): boolean =>
  replies.some((reply) => reply.status === 200 && reply.asked === asked);
