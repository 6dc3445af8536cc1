import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData } from 'viem/utils';
import { usdcAbi, usdcDomain, usdcTypes } from '../../src/devnet/usdc.ts';
import { submit } from '../support/chain-actions.ts';
import { frontRunTransaction, requirementsFor, type SignedPayment } from '../support/payments.ts';
import { amongDecoys, forged, known, type Scene, show, together } from './attacks.ts';
import { present, type Reply, sign } from './purchase.ts';

/** The behavior of a kind of buyer. */
type Style = {
  /** The share of buyers with this behavior, relative to the others. */
  readonly weight: number;
  /** The payer, if it matters: an account that no other buyer uses, or one with code. */
  readonly payer?: 'own' | 'wallet';
  /**
   * The buyer may still be waiting at the end, because it canceled its payment or let it expire during the settlement.
   */
  readonly mayWait?: true;
  /** Several purchases begin together, with at most this many more. */
  readonly companions?: number;
  /** The purchase has its own idempotency key. */
  readonly isNamed?: true;
  /** Keeps no payment: every attempt has a new signature. */
  readonly signsAnew?: true;
  /** The steps before the first attempt; returns the payment to attempt with. */
  begin(scene: Scene): Promise<SignedPayment>;
  /** One attempt; returns the reply to act on. */
  attempt(scene: Scene, payment: SignedPayment, tries: number): Promise<Reply>;
};

const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
const signed = ({ world, purchase, random }: Scene) => sign(world, purchase, random);
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
const signedFor =
  (least: number, most: number) =>
  ({ world, purchase, random }: Scene) =>
    sign(world, purchase, random, { authorization: { validBefore: inSeconds(random.whole(least, most)) } });
const once = ({ world, purchase, random }: Scene, payment: SignedPayment) =>
  present(random.pick(world.instances), purchase, payment);

/** Disconnects before an answer is likely. */
const hurried = ({ world, purchase, random }: Scene, payment: SignedPayment) =>
  present(random.pick(world.instances), purchase, payment, { abortMs: random.whole(1, 80) });

/** Presents the same payment at both instances at once, and returns a final reply if there is one. */
async function both({ world, purchase, random }: Scene, payments: readonly SignedPayment[]): Promise<Reply> {
  const replies = await Promise.all(
    payments.flatMap((payment) =>
      world.instances.map(async (instance) => {
        await wait(random.whole(0, 15));
        return present(instance, purchase, payment);
      }),
    ),
  );
  const rank = ({ status, code }: Reply) =>
    status === 200 ? 0 : code === 'waiting' ? 1 : status === 0 ? 2 : 3;
  return replies.sort((one, other) => rank(one) - rank(other))[0] as Reply;
}

/** A third party sends the payment to the chain while the buyer presents it. */
async function raced(scene: Scene, payment: SignedPayment): Promise<Reply> {
  const { world, memory, random } = scene;
  const letGo = await memory.hold();
  const racing = wait(random.whole(0, 40))
    .then(() => {
      const { authorization, signature } = payment.payload;
      return submit(world.chain, frontRunTransaction(world.chain, authorization, signature));
    })
    .catch(() => undefined);
  try {
    return await known(scene, payment);
  } finally {
    await racing;
    letGo();
  }
}

/** The buyer cancels the authorization while it is being settled. */
async function canceled(scene: Scene, payment: SignedPayment): Promise<Reply> {
  const { world, purchase, random } = scene;
  const { nonce } = payment.payload.authorization;
  const canceling = wait(random.whole(0, 30)).then(async () => {
    const signature = await privateKeyToAccount(purchase.buyer.privateKey).signTypedData({
      domain: usdcDomain,
      types: usdcTypes,
      primaryType: 'CancelAuthorization',
      message: { authorizer: purchase.from, nonce },
    });
    const args = [purchase.from, nonce, signature] as const;
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args });
    await submit(world.chain, { from: world.chain.usdcOwner, to: world.chain.usdc, data }).catch(
      () => undefined,
    );
  });
  const reply = await once(scene, payment);
  await canceling;
  return reply;
}

export const styles: Readonly<Record<string, Style>> = {
  steady: { weight: 20, begin: signed, attempt: once },
  impatient: {
    weight: 14,
    begin: signed,
    attempt: (scene, payment, tries) => (tries < 3 ? hurried(scene, payment) : once(scene, payment)),
  },
  twins: { weight: 14, begin: signed, attempt: (scene, payment) => both(scene, [payment]) },
  'signs anew under a name': {
    weight: 10,
    isNamed: true,
    signsAnew: true,
    begin: signed,
    attempt: (scene, payment, tries) => (tries < 2 ? hurried(scene, payment) : once(scene, payment)),
  },
  'two signatures under a name at once': {
    weight: 6,
    isNamed: true,
    begin: signed,
    attempt: async (scene, payment, tries) =>
      tries === 0 ? both(scene, [payment, await signed(scene)]) : once(scene, payment),
  },
  'front-run': {
    weight: 10,
    begin: signed,
    attempt: (scene, payment, tries) => (tries === 0 ? raced(scene, payment) : once(scene, payment)),
  },
  'canceled by the payer': {
    weight: 4,
    payer: 'own',
    mayWait: true,
    begin: signed,
    attempt: (scene, payment, tries) => (tries === 0 ? canceled(scene, payment) : once(scene, payment)),
  },
  replay: {
    weight: 8,
    begin: signed,
    attempt: async (scene, payment) => {
      const { world, purchase, random } = scene;
      const own = once(scene, payment);
      await wait(random.whole(0, 60));
      await present(random.pick(world.instances), purchase, payment, { asked: purchase.other });
      return own;
    },
  },
  'bad signature first': {
    weight: 6,
    begin: async (scene) => {
      const forged = await sign(scene.world, scene.purchase, scene.random, {
        signature: `0x${'11'.repeat(64)}1b`,
      });
      await once(scene, forged);
      return signed(scene);
    },
    attempt: once,
  },
  'too little first': {
    weight: 4,
    begin: async (scene) => {
      const { world, purchase, random } = scene;
      const cheap = await sign(world, purchase, random, { accepted: requirementsFor(world.chain.payee, 1n) });
      await once(scene, cheap);
      return signed(scene);
    },
    attempt: once,
  },
  'soon expired': {
    weight: 4,
    payer: 'own',
    mayWait: true,
    begin: signedFor(8, 15),
    attempt: once,
  },
  'several in one transaction': { weight: 2, companions: 5, begin: together, attempt: once },
  'one payment and decoys': { weight: 8, payer: 'own', begin: amongDecoys, attempt: once },
  'forged for a wallet first': {
    weight: 4,
    payer: 'wallet',
    begin: async (scene) => {
      const payment = await signed(scene);
      await show(scene, await forged(scene, payment), 'forged for a wallet');
      return payment;
    },
    attempt: once,
  },
};
