import { type FacilitatorHttp, facilitatorHttp } from '../payments/facilitator/http.ts';
import type { Facilitator } from '../payments/facilitator/known-facilitators.ts';
import { supportedFault } from '../payments/facilitator/supported.ts';
import type { SettlerFault } from '../payments/settler-watch.ts';
import { type Finding, fail, ok, originOnly, warn } from './finding.ts';

const DEADLINE_MS = 10_000;

const troubles: Readonly<Partial<Record<SettlerFault, readonly [says: string, todo: string]>>> = {
  unreached: ['cannot be reached', 'Check the address in SETTLERS and the way there'],
  unauthorized: [
    'turns us away',
    'Check the key: CDP_API_KEY_ID and CDP_API_KEY_SECRET, or the one in the URL',
  ],
  unclear: [
    'gives no list of what it supports',
    'Check that the address in SETTLERS is that of an x402 facilitator',
  ],
  not_listed: [
    'does not list scheme exact on NETWORK',
    'Payments handed to it would be turned away: take another',
  ],
};

/** Whether a facilitator settles on our network (CAIP-2), and whether it takes the key where there is one. */
export async function checkFacilitator(
  name: string,
  facilitator: Facilitator,
  network: string,
): Promise<readonly Finding[]> {
  const what = `${name} ${originOnly(facilitator.url)}`;
  const http = facilitatorHttp(facilitator);
  const fault = supportedFault(await http.get('/supported', DEADLINE_MS), network);
  if (fault !== null) {
    const [says, todo] = troubles[fault] ?? [fault, 'Take another'];
    return [fail(what, says, todo)];
  }
  const listed = ok(what, `lists scheme exact on ${network}`);
  return facilitator.headers === undefined ? [listed] : [listed, await checkKey(what, http, facilitator.url)];
}

/** Every facilitator refuses an empty payment, but says so only to a caller with a valid key. It can move nothing. */
async function checkKey(facilitator: string, http: FacilitatorHttp, url: string): Promise<Finding> {
  const what = `${facilitator}, key`;
  const ask = async (asker: FacilitatorHttp) => {
    const reply = await asker.post('/verify', '{}', DEADLINE_MS);
    return reply.kind === 'answered' ? reply.status : null;
  };
  const turnsAway = (status: number | null) => status === 401 || status === 403;
  const [mine, strangers] = [await ask(http), await ask(facilitatorHttp({ url }))];
  if (turnsAway(mine))
    return fail(what, 'turned away', 'Check CDP_API_KEY_ID, CDP_API_KEY_SECRET and what the key may do');
  if (mine !== null && mine < 500 && turnsAway(strangers)) return ok(what, 'taken');
  return warn(what, 'not known whether it is taken', 'Look for settlement lines of this settler in the log');
}
