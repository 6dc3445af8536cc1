import type { FacilitatorChoice } from '../payments/facilitator/known-facilitators.ts';
import type { Reading } from './reading.ts';
import type { SettingName } from './settings.ts';
import { isPrivateChannel, webAddress } from './web-address.ts';

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | FacilitatorChoice;

const MOST_SETTLERS = 8;
const REAL_SETTINGS: readonly SettingName[] = [
  'PAY_TO',
  'RPC_URLS',
  'RELAYER_KEY',
  'CDP_API_KEY_ID',
  'CDP_API_KEY_SECRET',
];

/** Reads the settlers in order and checks which of them go together and what each of them needs. */
export function readSettlers(reading: Reading, production: boolean): readonly SettlerChoice[] {
  const settlers = reading.list('SETTLERS', MOST_SETTLERS).flatMap((entry, index) => {
    const settler = settlerOf(entry);
    if (typeof settler !== 'string') return [Object.freeze(settler)];
    reading.fault('SETTLERS', `entry ${index + 1} ${settler}`);
    return [];
  });
  const kinds = new Set(settlers.map((settler) => settler.kind));
  if (kinds.has('embedded')) refuseMisplacedEmbedded(reading, settlers.length, production);
  if (kinds.has('local')) requireAll(reading, 'local', ['RPC_URLS', 'RELAYER_KEY']);
  if (kinds.has('cdp')) requireAll(reading, 'cdp', ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET']);
  return settlers;
}

function settlerOf(entry: string): SettlerChoice | string {
  if (entry === 'embedded' || entry === 'local' || entry === 'cdp' || entry === 'payai')
    return { kind: entry };
  if (!entry.includes('://')) return 'must be embedded, local, cdp, payai or the URL of a facilitator';
  const url = webAddress(entry);
  if (typeof url === 'string') return url;
  if (url.search !== '') return 'must not have a query';
  if (!isPrivateChannel(url)) return 'must be https, or http on this machine';
  return { kind: 'facilitator', url: url.href.replace(/\/+$/, '') };
}

function refuseMisplacedEmbedded(reading: Reading, count: number, production: boolean) {
  if (production)
    reading.fault('SETTLERS', 'must name real settlers in production; the embedded chain is play money');
  if (count > 1)
    reading.fault('SETTLERS', 'names embedded beside others; they would settle on different chains');
  const meantForReal = REAL_SETTINGS.filter((name) => reading.isSet(name));
  if (!production && !reading.isSet('SETTLERS') && meantForReal.length > 0)
    reading.fault(
      'SETTLERS',
      `is missing, so that ${meantForReal.join(', ')} would be ignored and money be play money`,
    );
  if (reading.text('NETWORK') !== 'eip155:8453')
    reading.fault('NETWORK', 'must be eip155:8453 with the embedded chain');
}

function requireAll(reading: Reading, settler: string, names: readonly SettingName[]) {
  for (const name of names)
    if (!reading.isSet(name)) reading.fault(name, `is missing; the settler ${settler} needs it`);
}
