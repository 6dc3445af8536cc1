import { cleanLine } from '../../../domain/text.ts';
import { parseUrl } from '../../../domain/url.ts';
import type { Letterhead } from './letterhead.ts';

/** The sender's own payment page. It may come from anyone's link, so only plain https addresses are accepted. */
export type PaymentLink = {
  /** The business that owns the page; '' if it is unnamed. */
  readonly of: string;
  readonly address: string;
  readonly host: string;
};

const LONGEST = 500;
// Plain letters cannot imitate another host. The last part begins with a letter, so the host is not an IP address in
// any notation.
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i;

/** The address with its scheme, which people often leave out; '' if none was written. */
function addressOf(written: string): string {
  const text = written.trim();
  return text === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) ? text : `https://${text}`;
}

/** Everything that is wrong with a payment address, in words that follow its label; empty if nothing is. */
export function paymentFaults(written: string): readonly string[] {
  const address = addressOf(written);
  if (address === '') return [];
  const [, authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(address) ?? [];
  const at = authority.lastIndexOf('@');
  const isSecure = /^https:\/\//i.test(address);
  return [
    ...(isSecure ? [] : ['must begin with https://']),
    ...(at < 0 ? [] : ['must not contain a user name or password']),
    ...((authority === '' && !isSecure) || HOST.test(authority.slice(at + 1))
      ? []
      : ['must have a plain site name without a port, such as https://buy.stripe.com/…']),
    ...(/[\s\\\p{C}]/u.test(address) || (isSecure && parseUrl(address) === null)
      ? ['must not contain spaces, backslashes or invisible characters']
      : []),
    ...(address.length > LONGEST ? [`may have at most ${LONGEST} characters`] : []),
  ];
}

/** The payment page on a document; null if it has none that can be trusted to be what it looks like. */
export function paymentLink({ pay, business }: Pick<Letterhead, 'pay' | 'business'>): PaymentLink | null {
  if (pay.trim() === '' || paymentFaults(pay).length > 0) return null;
  const { href, host } = new URL(addressOf(pay));
  return { of: cleanLine(business), address: href, host };
}

/** "Payment page of Green Gardens, at buy.stripe.com" without its host. */
export const paymentWords = ({ of }: PaymentLink): string =>
  `Payment page of ${of === '' ? 'the sender' : of}, at`;
