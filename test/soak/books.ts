import type { Hex } from 'viem';
import { encodeEventTopics } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import { isAnswered, next } from './buyers.ts';
import type { Purchase, Reply } from './purchase.ts';
import { styles } from './styles.ts';

/** A transfer to the payee that an authorization ordered: the asset logs its use and the transfer back to back. */
export type Paid = { readonly nonce: Hex; readonly transaction: Hex; readonly value: bigint };
/** The events on the chain. */
export type Books = {
  /** Every transfer to the payee that an authorization ordered, by its nonce. */
  readonly paid: ReadonlyMap<Hex, Paid>;
  /** Number of transfers to the payee that no authorization ordered. */
  readonly unordered: number;
  /** Number of authorizations that were used for a transfer to a third party. */
  readonly elsewhere: number;
};
export type Violation = {
  readonly what: string;
  readonly purchase: Purchase | null;
  readonly nonce: Hex | null;
};

type Log = { topics: Hex[]; data: Hex; transactionHash: Hex; logIndex: Hex };

const [usedTopic] = encodeEventTopics({ abi: usdcAbi, eventName: 'AuthorizationUsed' });
const [transferTopic] = encodeEventTopics({ abi: usdcAbi, eventName: 'Transfer' });

/** Reads everything from the asset's own events. */
export async function booksOf({ rpcUrl, usdc, payee }: EmbeddedChain): Promise<Books> {
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', {
    address: usdc,
    fromBlock: '0x0',
    toBlock: 'latest',
    topics: [[usedTopic, transferTopic]],
  });
  const at = ({ transactionHash, logIndex }: Log, before = 0) =>
    `${transactionHash} ${Number(logIndex) - before}`;
  const uses = new Map(logs.filter(({ topics }) => topics[0] === usedTopic).map((log) => [at(log), log]));
  const toPayee = logs.filter(
    ({ topics }) => topics[0] === transferTopic && topics[2]?.endsWith(payee.slice(2).toLowerCase()),
  );
  const paid = toPayee.flatMap((log): Paid[] => {
    const use = uses.get(at(log, 1));
    if (use === undefined || use.topics[1] !== log.topics[1]) return [];
    return [{ nonce: use.topics[2] as Hex, transaction: log.transactionHash, value: BigInt(log.data) }];
  });
  return {
    paid: new Map(paid.map((one) => [one.nonce, one])),
    unordered: toPayee.length - paid.length,
    elsewhere: uses.size - paid.length,
  };
}

const nonceOf = ({ payload }: Purchase['signed'][number]): Hex => payload.authorization.nonce;
const answersOf = ({ replies }: Purchase) => replies.filter(({ status }) => status === 200);

/** The transfer behind an answer: of the presented payment, or of any payment with the same idempotency key. */
function behind(
  { nonce, transaction }: Reply,
  { name, signed }: Purchase,
  { paid }: Books,
): Paid | undefined {
  return signed
    .map((payment) => paid.get(nonceOf(payment)))
    .find((one) => one?.transaction === transaction && (name !== null || one?.nonce === nonce));
}

/** Whether the reply is to a request that nobody paid for. */
export const isDecoy = ({ asked }: Reply, purchase: Purchase): boolean =>
  asked !== purchase.asked && asked !== purchase.other;

const requestsFor = (nonce: Hex, purchase: Purchase, books: Books) =>
  new Set(
    answersOf(purchase)
      .filter((reply) => behind(reply, purchase, books)?.nonce === nonce)
      .map(({ asked }) => asked),
  );

/** The payments that went through but whose buyer has no answer yet. */
export const uncollected = (purchase: Purchase, books: Books): Purchase['signed'] =>
  purchase.signed.filter((payment) => {
    const nonce = nonceOf(payment);
    return books.paid.has(nonce) && requestsFor(nonce, purchase, books).size === 0;
  });

/** Compares the replies to buyers with the events on the chain. */
export function violationsIn(purchases: readonly Purchase[], books: Books): Violation[] {
  const found = purchases.flatMap((purchase) => [
    ...ofAnswers(purchase, books),
    ...ofAuthorizations(purchase, books),
    ...ofReplies(purchase),
    ...ofPatience(purchase),
  ]);
  const known = new Set(
    purchases.flatMap(({ signed, decoys }) => [...signed.map(nonceOf), ...decoys.keys()]),
  );
  const strange = [...books.paid.keys()].filter((nonce) => !known.has(nonce));
  return [
    ...found,
    ...strange.map((nonce) => ({ what: 'a transfer that nobody signed', purchase: null, nonce })),
  ];
}

/** For every answer there is a transfer of the exact price, ordered by an authorization of the same purchase. */
function ofAnswers(purchase: Purchase, books: Books): Violation[] {
  const faultOf = (reply: Reply): string | null => {
    if (isDecoy(reply, purchase)) return `a decoy answered: ${purchase.decoys.get(reply.nonce)}`;
    const transfer = behind(reply, purchase, books);
    if (transfer === undefined) return 'an answer without a payment';
    return transfer.value === purchase.product.price ? null : 'an answer for another price';
  };
  return answersOf(purchase).flatMap((reply) => {
    const what = faultOf(reply);
    return what === null ? [] : [{ what, purchase, nonce: reply.nonce }];
  });
}

/** For every transfer there is exactly one request that was answered, and for every request one transfer. */
function ofAuthorizations(purchase: Purchase, books: Books): Violation[] {
  const found: Violation[] = [];
  const answers = answersOf(purchase);
  for (const nonce of purchase.signed.map(nonceOf)) {
    const transfer = books.paid.get(nonce);
    if (transfer === undefined) continue;
    const requests = requestsFor(nonce, purchase, books);
    if (requests.size === 0) found.push({ what: 'charged without an answer', purchase, nonce });
    if (requests.size > 1) found.push({ what: 'two requests answered for one payment', purchase, nonce });
    const refusal = purchase.replies.find(
      (reply) =>
        reply.nonce === nonce && reply.asked === purchase.asked && isWronglyRefused(reply, purchase, books),
    );
    if (refusal) found.push({ what: `told to sign anew (${refusal.code}) though charged`, purchase, nonce });
  }
  for (const asked of new Set(answers.map((reply) => reply.asked))) {
    const mine = answers.filter((reply) => reply.asked === asked);
    // A buyer who tries several payments for another request may have paid for that request several times.
    if (asked === purchase.asked && new Set(mine.map((one) => behind(one, purchase, books)?.nonce)).size > 1)
      found.push({ what: 'a request charged twice', purchase, nonce: null });
    if (new Set(mine.map(({ digest }) => digest)).size > 1)
      found.push({ what: 'a request answered in two ways', purchase, nonce: null });
  }
  return found;
}

/** Whether a buyer with this reply would pay again although the presented payment went through for the request. */
function isWronglyRefused(reply: Reply, purchase: Purchase, books: Books): boolean {
  if (next(reply) !== 'sign anew') return false;
  // The payment went through for another request of the same buyer.
  const [bought] = requestsFor(reply.nonce, purchase, books);
  return !(reply.code === 'payment_already_used' && bought !== undefined && bought !== purchase.asked);
}

const PROMISED = new Set([0, 200, 402, 409, 503]);

/** Finds answers that docs/payments.md does not promise to an honest buyer. */
function ofReplies(purchase: Purchase): Violation[] {
  return purchase.replies
    .filter(({ status, code }) => !PROMISED.has(status) || code === 'idempotency_key_reused')
    .map(({ status, code, nonce }) => ({ what: `an answer ${status} ${code}`, purchase, nonce }));
}

/** Finds honest buyers who have to wait even after all faults are over. */
function ofPatience(purchase: Purchase): Violation[] {
  if (isAnswered(purchase) || styles[purchase.style]?.mayWait) return [];
  return [{ what: 'an honest buyer left waiting', purchase, nonce: null }];
}
