import { addressIn, type Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';

/*
 * The remembered details of the owner's business, in a separate module because every form reads them but few change
 * them.
 */

export const OWN_DETAILS = 'own-details';
export type Detail =
  | 'business_name'
  | 'contact'
  | 'payment_details'
  | 'pay_link'
  | 'accent'
  | 'logo'
  | 'currency'
  | 'tax';
export type OwnDetails = Partial<Record<Detail, string>>;

/** The remembered details; null if there are none or storage is switched off. */
export function remembered(): OwnDetails | null {
  const kept: unknown = orNull(() => JSON.parse(localStorage.getItem(OWN_DETAILS) ?? 'null'));
  if (typeof kept !== 'object' || kept === null) return null;
  return Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === 'string'));
}

/**
 * Payment details of the business. A link that names the business may still have the payment details of someone else.
 */
const PAID_AT = ['payment_details', 'pay_link'] as const;

/**
 * The remembered details. Null if the document names another business, names none but has someone else's text, or
 * says that the business is paid elsewhere. Otherwise bank details from a link would appear under the owner's name.
 */
export function rememberedFor(
  business: string,
  texts: Readonly<Record<string, string | undefined>>,
): OwnDetails | null {
  const kept = remembered();
  const isOther = (name: string, text = ''): boolean =>
    text.trim() !== '' && text.trim() !== kept?.[name as Detail]?.trim();
  if (isOther('business_name', business)) return null;
  if (PAID_AT.some((name) => isOther(name, texts[name]))) return null;
  // The client's answer goes to the address on the document.
  const email = addressIn(texts.contact ?? '');
  if (email !== '' && email !== addressIn(kept?.contact ?? '')) return null;
  const isNamed = business.trim() !== '';
  return isNamed || !Object.entries(texts).some(([name, text]) => isOther(name, text)) ? kept : null;
}

/** The remembered details under their letterhead names. */
export const OWN_NAMES = {
  business: 'business_name',
  contact: 'contact',
  tax: 'tax',
  pay: 'pay_link',
  accent: 'accent',
} as const satisfies Partial<Record<keyof Letterhead, keyof OwnDetails>>;

/** The details of a letterhead that can be remembered. */
export const ownDetailsIn = (letterhead: Letterhead): OwnDetails =>
  Object.fromEntries(
    Object.entries(OWN_NAMES).map(([name, detail]) => [detail, letterhead[name as keyof typeof OWN_NAMES]]),
  );

const ownFor = ({ business = '', contact, note, about, pay }: Partial<Letterhead>): OwnDetails | null =>
  rememberedFor(business, { contact, note, about, pay_link: pay });

/** The remembered logo; '' if there is none, or if the document is of another business. */
export const ownLogo = (letterhead: Partial<Letterhead>): string => ownFor(letterhead)?.logo ?? '';

/**
 * Whether a document has the name, an address, a note or a payment page of another business. Also true if no details
 * are remembered.
 */
export const isOfAnother = (letterhead: Letterhead): boolean => ownFor(letterhead) === null;

/** The remembered details; empty if the document is of another business. */
export function ownLetterhead(letterhead: Partial<Letterhead>): Partial<Letterhead> {
  const own = ownFor(letterhead);
  return Object.fromEntries(Object.entries(OWN_NAMES).map(([name, detail]) => [name, own?.[detail] ?? '']));
}

/**
 * Remembers more about the owner's business; null stops remembering. If storage is off or full, nothing is remembered.
 */
export const remember = (more: OwnDetails | null): unknown =>
  orNull(() => localStorage.setItem(OWN_DETAILS, JSON.stringify(more && { ...remembered(), ...more })));

/** Whether the owner has not chosen to forget. */
export const mayRemember = (): boolean =>
  isKeeping() && orNull(() => localStorage.getItem(OWN_DETAILS)) !== 'null';
