import { orNull } from './or-null.ts';

/* What is remembered of the owner's business, by itself: every form reads it at once, and few ever change it. */

export const KEY = 'own-details';
export type Detail = 'business_name' | 'contact' | 'payment_details' | 'currency' | 'tax';
export type OwnDetails = Partial<Record<Detail, string>>;

/** null where nothing is to be remembered, or storage is switched off. */
export function remembered(): OwnDetails | null {
  const kept: unknown = orNull(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  return typeof kept === 'object' ? (kept as OwnDetails | null) : null;
}
