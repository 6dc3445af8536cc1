import { RPC_DEADLINE_MS, RpcFailure } from '../payments/chain/rpc.ts';
import { StartFault } from '../platform/start-fault.ts';

type Verdict = { readonly verdict: 'ok' | 'warn' | 'FAIL'; readonly says: string };

/** The result of one check, for a terminal. `says` includes what to do about it, and no part holds a secret. */
export type Finding = Verdict & { readonly what: string };

export const ok = (says: string): Verdict => ({ verdict: 'ok', says });
export const warn = (says: string): Verdict => ({ verdict: 'warn', says });
export const fail = (says: string): Verdict => ({ verdict: 'FAIL', says });

/** A finding as one line. */
export const lineOf = ({ verdict, what, says }: Finding): string => `${verdict.padEnd(4)}  ${what}: ${says}.`;

/**
 * What is checked, the check, which returns null if there is nothing to report, and for a call to a node, what to do if
 * it gets no usable answer.
 */
export type Check = readonly [
  what: string,
  check: () => Promise<Verdict | null> | Verdict | null,
  unanswered?: string,
];

/** Runs checks at the same time and returns their findings in order. A check that throws becomes a FAIL. */
export async function findingsOf(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async ([what, check, unanswered]): Promise<readonly Finding[]> => {
      const startedMs = performance.now();
      try {
        const verdict = await check();
        return verdict === null ? [] : [{ what, ...verdict }];
      } catch (error) {
        return [{ what, ...fail(troubleOf(error, performance.now() - startedMs, unanswered)) }];
      }
    }),
  );
  return findings.flat();
}

/** Runs the first check, and the others only if it finds nothing wrong. */
export async function findingsAfter(first: Check, others: readonly Check[]): Promise<readonly Finding[]> {
  const findings = await findingsOf([first]);
  return findings[0]?.verdict === 'ok' ? [...findings, ...(await findingsOf(others))] : findings;
}

/** Why a check gave no result, in our own words, because a node's text may quote its address and key. */
function troubleOf(error: unknown, afterMs: number, unanswered = ''): string {
  if (error instanceof StartFault) return error.message.replace(/\.$/, '');
  if (!(error instanceof RpcFailure)) {
    if (unanswered !== '') return `gives an invalid answer. ${unanswered}`;
    const name = error instanceof Error ? error.constructor.name : 'no error';
    return `the check itself failed (${name}). This is a bug in this program. Please report it`;
  }
  const { kind, code } = error;
  const rejects = code === null ? 'rejects the call' : `rejects the call (code ${code})`;
  const silent = afterMs < RPC_DEADLINE_MS ? 'gives no JSON-RPC answer' : 'does not answer within 5 s';
  const says =
    kind === 'unreached' ? 'cannot be reached' : kind === 'unclear' && code === null ? silent : rejects;
  return `${says}. ${unanswered}`;
}
