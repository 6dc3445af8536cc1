import { cdpSecretFault } from './cdp-key.ts';
import type { SecretValue } from './cdp-token.ts';
import type { CallHeaders } from './http.ts';

/** A hosted entry of SETTLERS. */
export type FacilitatorChoice =
  | { readonly kind: 'cdp' }
  | { readonly kind: 'payai' }
  | { readonly kind: 'facilitator'; readonly url: string };

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | FacilitatorChoice;

/**
 * Whether one of these settlers lists the services that it settles for. Its catalog requests a price without any input,
 * and keeps only services that answer 402.
 */
export const isCatalogAmong = (settlers: readonly { readonly kind: string }[]): boolean =>
  settlers.some(({ kind }) => kind === 'cdp' || kind === 'payai');

/** Address and headers of a facilitator. The URL may contain a key. */
export type Facilitator = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly headers?: CallHeaders;
  /** Whether a 503 that is not JSON comes from the facilitator's gateway, which did not forward the request. */
  readonly isEdge503?: boolean;
};

export type FacilitatorSettings = {
  /** The API key for `cdp`. */
  readonly cdpApiKey: { readonly id: SecretValue; readonly secret: SecretValue } | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const CDP_HOST = 'api.cdp.coinbase.com';
const CDP_URL = `https://${CDP_HOST}/platform/v2/x402`;
const PAYAI_URL = 'https://facilitator.payai.network';

/** The address and headers of a hosted settler. Throws if its key is missing or cannot sign. */
export function facilitatorOf(
  choice: FacilitatorChoice,
  { cdpApiKey, now }: FacilitatorSettings,
): Facilitator {
  if (choice.kind === 'facilitator') return { url: choice.url };
  if (choice.kind === 'payai') return { url: PAYAI_URL, isEdge503: true };
  if (cdpApiKey === null) throw new Error('A settler lacks its key');
  const { id, secret } = cdpApiKey;
  if (cdpSecretFault(secret.reveal()) !== null) throw new Error('CDP_API_KEY_SECRET is not a key secret');
  const loading = import('./cdp-token.ts').then(({ cdpHeaders }) =>
    cdpHeaders({ id, secret, host: CDP_HOST, now }),
  );
  loading.catch(() => undefined);
  return { url: CDP_URL, headers: async (method, path) => (await loading)(method, path) };
}
