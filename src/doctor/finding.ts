import { RpcFailure } from '../payments/chain/rpc.ts';

/** What one check found, for a terminal. `todo` says what to do about it. No part of it holds a secret. */
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

/** Scheme, host and port of a URL: keys hide in the rest. */
export function originOnly(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Why a node gave no result, in our words: its own may quote its address and key. */
export function rpcTrouble(error: unknown): string {
  if (!(error instanceof RpcFailure)) return 'answers in a shape it should not have';
  if (error.kind === 'unreached') return 'cannot be reached';
  if (error.kind === 'unclear' && error.code === null) return 'gives no JSON-RPC answer';
  return error.code === null ? 'refuses the call' : `refuses the call (code ${error.code})`;
}

/** Runs a check that asks a node; where it gives nothing that can be read, that is a FAIL. */
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

/** Runs a check; one that breaks is a finding too, and its cause stays untold. */
export async function guarded(
  what: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : 'no error';
    return [
      fail(what, `the check itself broke (${name})`, 'That is a fault of this program; please report it'),
    ];
  }
}
