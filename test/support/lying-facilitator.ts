import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Chain } from './chain-actions.ts';
import {
  type Answer,
  answerSettle,
  answerVerify,
  type FacilitatorFault,
  facilitatorFaults,
  facilitatorSecret,
  json,
  type Parts,
  page,
  type SettleRequest,
  type Strike,
  settlerOn,
} from './facilitator-answers.ts';
import { opened, stopped } from './listening.ts';

export type LyingFacilitator = {
  url: string;
  /** Applies `fault` to the next settlements, at most `times` of them; replaces an earlier fault. */
  fail(fault: FacilitatorFault, options?: { times?: number; delayMs?: number }): void;
  /** Applies a random fault to each settlement with this probability, drawn from the seed. */
  failAtRandom(chance: number): void;
  heal(): void;
  /** The requests to `/settle`, as text and parsed, in order. */
  readonly asked: readonly { text: string; body: SettleRequest; headers: IncomingMessage['headers'] }[];
  /** Kinds that `/supported` lists; null makes it answer with an error. */
  supports(kinds: readonly unknown[] | null): void;
  stop(): Promise<void>;
};

/** Numbers in [0, 1) that are the same for the same seed. */
const seeded = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const faultSource = (seed: number) => {
  const random = seeded(seed);
  let set: (Strike & { left: number }) | null = null;
  let chance = 0;
  return {
    fail: (fault: FacilitatorFault, { times = Number.POSITIVE_INFINITY, delayMs = 200 } = {}) => {
      set = { fault, left: times, delayMs };
    },
    atRandom: (likelihood: number) => {
      chance = likelihood;
    },
    heal: () => {
      set = null;
      chance = 0;
    },
    strike: (): Strike | undefined => {
      if (set !== null && set.left > 0) {
        set.left -= 1;
        return set;
      }
      if (random() >= chance) return undefined;
      const fault = facilitatorFaults[Math.floor(random() * facilitatorFaults.length)];
      return fault && { fault, delayMs: 200 };
    },
  };
};

// Some facilitators have an API key in their address.
const keyPath = '/v1/SECRET-path-4713';

const listing = Buffer.from(JSON.stringify({ bazaar: { status: 'processing' } })).toString('base64');

const write = (response: ServerResponse, answer: Answer): void => {
  if (answer === 'broken') response.socket?.destroy();
  else {
    const headers = { 'content-type': 'application/json', 'extension-responses': listing, ...answer.headers };
    response.writeHead(answer.status, headers).end(answer.body);
  }
};

/**
 * An x402 facilitator on 127.0.0.1 that settles on `chain` from a third-party account, and lies or fails as scripted.
 * Random faults are drawn from `seed`, so that a run can be repeated.
 */
export const startLyingFacilitator = async (chain: Chain, seed = 1): Promise<LyingFacilitator> => {
  const faults = faultSource(seed);
  const parts: Parts = { chain, settle: settlerOn(chain) };
  const asked: { text: string; body: SettleRequest; headers: IncomingMessage['headers'] }[] = [];
  let kinds: readonly unknown[] | null = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }];

  const receive = async (request: IncomingMessage): Promise<Answer> => {
    const text = await readText(request);
    if (request.url === `${keyPath}/supported`)
      return kinds === null ? page(502) : json(200, { kinds, extensions: ['bazaar'], signers: {} });
    if (request.url === `${keyPath}/verify`) return answerVerify(JSON.parse(text) as SettleRequest, chain);
    if (request.url !== `${keyPath}/settle`) return json(404, { error: facilitatorSecret });
    const body = JSON.parse(text) as SettleRequest;
    asked.push({ text, body, headers: request.headers });
    return answerSettle(body, faults.strike(), parts);
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (answer) => write(response, answer),
      () => response.socket?.destroy(),
    );
  });
  return {
    url: `${await opened(server)}${keyPath}`,
    fail: (fault, options) => faults.fail(fault, options),
    failAtRandom: faults.atRandom,
    heal: faults.heal,
    asked,
    supports: (listed) => {
      kinds = listed;
    },
    stop: () => stopped(server),
  };
};
