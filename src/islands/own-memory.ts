import type { Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';

/* What is remembered of the owner's business, by itself: every form reads it at once, and few ever change it. */

const KEY = 'own-details';
export type Detail = 'business_name' | 'contact' | 'payment_details' | 'currency' | 'tax';
export type OwnDetails = Partial<Record<Detail, string>>;

/** null where nothing is to be remembered, or storage is switched off. */
export function remembered(): OwnDetails | null {
  const kept: unknown = orNull(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  return typeof kept === 'object' ? (kept as OwnDetails | null) : null;
}

/**
 * What is remembered; nothing beside the name of another business, nor, where no business is named, beside a text of
 * another: with the owner's name over it, the bank details that a link brought would be the owner's own.
 */
export function rememberedFor(
  business: string,
  texts: Readonly<Record<string, string | undefined>>,
): OwnDetails | null {
  const kept = remembered();
  const isOther = (name: string, text = ''): boolean =>
    text.trim() !== '' && text.trim() !== kept?.[name as Detail]?.trim();
  if (isOther('business_name', business)) return null;
  const isNamed = business.trim() !== '';
  return isNamed || !Object.entries(texts).some(([name, text]) => isOther(name, text)) ? kept : null;
}

/** What is remembered of the owner's business, as a letterhead has it. */
export const OWN_NAMES = {
  business: 'business_name',
  contact: 'contact',
  tax: 'tax',
} as const satisfies Partial<Record<keyof Letterhead, keyof OwnDetails>>;

/** What is remembered; nothing where the document is in the name, or has an address or a note, of another business. */
export function ownLetterhead({ business = '', contact, note }: Partial<Letterhead>): Partial<Letterhead> {
  const own = rememberedFor(business, { contact, note });
  return Object.fromEntries(Object.entries(OWN_NAMES).map(([name, detail]) => [name, own?.[detail] ?? '']));
}

/** Remembers more of the owner's business; null remembers nothing from now on. Where storage is off or full, nothing is. */
export const remember = (more: OwnDetails | null): unknown =>
  orNull(() => localStorage.setItem(KEY, JSON.stringify(more && { ...remembered(), ...more })));

/** Whether the owner has not said that nothing is to be remembered. */
export const mayRemember = (): boolean => isKeeping() && orNull(() => localStorage.getItem(KEY)) !== 'null';
