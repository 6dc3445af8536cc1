import { parseAbi } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { allowBatcher, type Call, otherToken, sendTogether } from '../support/batch.ts';
import {
  frontRunTransaction,
  requirementsFor,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';
import type { Stage } from './faults.ts';
import { type Purchase, present, type Reply, sign } from './purchase.ts';
import type { Random } from './random.ts';
import { strangerOf, type World } from './world.ts';

/** One purchase in progress. */
export type Scene = Stage & { readonly purchase: Purchase; readonly random: Random };

/** An imitation of a payment for the purchase, with the calls that use its nonce. */
type Decoy = { readonly shown: SignedPayment; readonly calls: readonly Call[] };
type DecoyOf = (scene: Scene, own: SignedPayment) => Promise<Decoy>;

// This is longer than any fault takes on a busy machine.
const KNOWN_MS = 120_000;
const erc20 = parseAbi(['function transferFrom(address from, address to, uint256 value) returns (bool)']);
const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));

/** The call that settles a payment. Anybody may make it. */
export const callOf = ({ chain }: World, { payload: { authorization, signature } }: SignedPayment): Call => ({
  to: chain.usdc,
  data: frontRunTransaction(chain, authorization, signature).data,
});

/** The same authorization with a signature that is not the payer's. */
export async function forged({ world, purchase, random }: Scene, own: SignedPayment): Promise<SignedPayment> {
  const { payload } = await signAuthorization({
    buyer: strangerOf(random),
    accepted: requirementsFor(world.chain.payee, purchase.product.price),
    authorization: own.payload.authorization,
  });
  const signature = random.pick([payload.signature, `0x${'11'.repeat(64)}1b`, random.hex(200)] as const);
  return { ...own, payload: { ...own.payload, signature } };
}

/** Signs an authorization for something other than the purchase. */
function decoy({ world, purchase, random }: Scene, to: 'payee' | 'stranger', value: bigint) {
  const accepted = requirementsFor(world.chain.payee, purchase.product.price);
  const authorization = {
    from: purchase.from,
    to: to === 'payee' ? world.chain.payee : strangerOf(random).address,
    value: `${value}`,
    nonce: random.hex(32),
  };
  return signAuthorization({ buyer: purchase.buyer, accepted, authorization });
}

/** Presents a signature for something else as a payment for the purchase. */
const rewritten = ({ world, purchase }: Scene, { payload, ...rest }: SignedPayment): SignedPayment => ({
  ...rest,
  payload: {
    ...payload,
    authorization: { ...payload.authorization, to: world.chain.payee, value: `${purchase.product.price}` },
  },
});

const elsewhere =
  (
    to: 'payee' | 'stranger',
    part: (price: bigint) => bigint,
    beside?: (scene: Scene, signed: SignedPayment) => Promise<Call>,
  ): DecoyOf =>
  async (scene) => {
    const signed = await decoy(scene, to, part(scene.purchase.product.price));
    const calls = [callOf(scene.world, signed), ...(beside ? [await beside(scene, signed)] : [])];
    return { shown: rewritten(scene, signed), calls: scene.random.chance(0.5) ? calls : calls.reverse() };
  };

/** The same amount from the same payer to the payee, by a plain transfer. */
async function plainTransfer({ world: { chain }, purchase: { from, product } }: Scene): Promise<Call> {
  await allowBatcher(chain, from, product.price * 10n);
  const args = [from, chain.payee, product.price] as const;
  return { to: chain.usdc, data: encodeFunctionData({ abi: erc20, functionName: 'transferFrom', args }) };
}

/** The events of the presented payment, from a token that is not the asset. */
const inOtherToken = async (scene: Scene, signed: SignedPayment): Promise<Call> => ({
  ...callOf(scene.world, rewritten(scene, signed)),
  to: otherToken,
});

const decoys: Readonly<Record<string, DecoyOf>> = {
  'nothing to a stranger': elsewhere('stranger', () => 0n),
  'the price to a stranger': elsewhere('stranger', (price) => price),
  'less to the payee': elsewhere('payee', (price) => price - 1n),
  'a plain transfer beside it': elsewhere('stranger', (price) => price, plainTransfer),
  'another token beside it': elsewhere('stranger', () => 0n, inOtherToken),
  'paid to another seller': async (scene) => {
    const signed = await decoy(scene, 'payee', scene.purchase.product.price);
    return { shown: await forged(scene, signed), calls: [callOf(scene.world, signed)] };
  },
  'the own payment in a hand of a stranger': async (scene, own) => ({
    shown: await forged(scene, own),
    calls: [],
  }),
};

/** Presents a payment until it has certainly arrived. Before that, only its buyer may know the payment. */
export async function known({ world, purchase, random }: Scene, payment: SignedPayment): Promise<Reply> {
  const untilMs = performance.now() + KNOWN_MS;
  for (;;) {
    const reply = await present(random.pick(world.instances), purchase, payment);
    if ((reply.status !== 0 && reply.status !== 503) || performance.now() > untilMs) return reply;
    await wait(100);
  }
}

/** Presents, at both instances and for its own request, a payment that must not be answered. */
export async function show(
  { world, purchase, random }: Scene,
  shown: SignedPayment,
  kind: string,
): Promise<void> {
  purchase.decoys.set(shown.payload.authorization.nonce, kind);
  const asked = purchase.product.ask(`Decoy ${shown.payload.signature.slice(0, 20)}`, random);
  for (const instance of world.instances) await present(instance, purchase, shown, { asked });
}

/**
 * Puts the payment and decoys into one transaction. Each decoy is presented for another request, and then the buyer's
 * request follows.
 */
export async function amongDecoys(scene: Scene): Promise<SignedPayment> {
  const { world, purchase, random, memory, blocks } = scene;
  const own = await sign(world, purchase, random);
  const made: (Decoy & { readonly kind: string })[] = [];
  for (let count = random.whole(1, 5); count > 0; count -= 1) {
    const [kind, make] = random.pick(Object.entries(decoys));
    made.push({ kind, ...(await make(scene, own)) });
  }
  const calls = made.map((one) => one.calls);
  calls.splice(random.whole(0, calls.length), 0, [callOf(world, own)]);
  const remembered = await memory.hold();
  try {
    const mined = await blocks.hold();
    await sendTogether(world.chain, calls.flat()).finally(mined);
    const shown = made.map((one) => show(scene, one.shown, one.kind));
    await wait(random.whole(0, 200));
    await Promise.all([known(scene, own), ...shown]);
  } finally {
    remembered();
  }
  return own;
}

/** Pays for several purchases, of one payer or of many, in one transaction, while each payment is presented. */
export async function together(scene: Scene): Promise<SignedPayment> {
  const { world, purchase, random, memory } = scene;
  const members = [purchase, ...purchase.companions];
  const payments = await Promise.all(members.map((member) => sign(world, member, random)));
  const letGo = await memory.hold();
  const racing = wait(random.whole(0, 40))
    .then(() =>
      sendTogether(
        world.chain,
        payments.map((payment) => callOf(world, payment)),
      ),
    )
    .catch(() => undefined);
  try {
    await Promise.all(
      members.map((member, index) => known({ ...scene, purchase: member }, payments[index] as SignedPayment)),
    );
  } finally {
    await racing;
    letGo();
  }
  return payments[0] as SignedPayment;
}
