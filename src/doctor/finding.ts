import { RpcFailure } from '../payments/chain/rpc.ts';

/** The result of one check, for a terminal. `todo` says what to do about it. No part of it holds a secret. */
export type Finding = {
  readonly verdict: 'ok' | 'warn' | 'FAIL';
  readonly what: string;
  readonly says: string;
  readonly todo: string | null;
};

export const ok = (what: string, says: string): Finding => ({ verdict: 'ok', what, says, todo: null });
const wanting =
  (verdict: 'warn' | 'FAIL') =>
  (what: string, says: string, todo: string): Finding => ({ verdict, what, says, todo });
export const warn = wanting('warn');
export const fail = wanting('FAIL');

/** A finding as one line. */
export const lineOf = ({ verdict, what, says, todo }: Finding): string =>
  `${verdict.padEnd(4)}  ${what}: ${says}${todo === null ? '' : `. ${todo}`}.`;

/** Scheme, host and port of a URL, because the rest may contain keys. */
export function originOnly(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Why a node gave no result, in our own words, because the node's text may quote its address and key. */
export function rpcTrouble(error: unknown): string {
  if (!(error instanceof RpcFailure)) return 'gives an invalid answer';
  if (error.kind === 'unreached') return 'cannot be reached';
  if (error.kind === 'unclear' && error.code === null) return 'gives no JSON-RPC answer';
  return error.code === null ? 'rejects the call' : `rejects the call (code ${error.code})`;
}

/** Runs a check that asks a node. A result that cannot be read is a FAIL. */
export async function answered(
  what: string,
  todo: string,
  check: (what: string) => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check(what);
  } catch (error) {
    return fail(what, rpcTrouble(error), todo);
  }
}

/** Runs a check. A check that throws becomes a finding, without its cause. */
export async function guarded(
  what: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : 'no error';
    return [
      fail(what, `the check itself failed (${name})`, 'This is a bug in this program. Please report it'),
    ];
  }
}
