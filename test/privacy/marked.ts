import type { Claims } from '../../src/exchange/claims/claims.ts';
import { fakePayment } from '../support/app.ts';

/** The mark represents anything private that a caller sends. */
export const MARK = 'QZXMARK';

/** Whether a text has the mark in any letter case, plain, percent-encoded, or inside base64. */
export function shows(text: string): boolean {
  const plain = (part: string) => part.toLowerCase().includes(MARK.toLowerCase());
  return plain(text) || (text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).some((run) => plain(decoded(run)));
}

// A mark may begin at any of the four positions in a group of base64 characters.
const decoded = (run: string) =>
  [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')).join('\n');

/** Headers of browsers, agents and proxies, each with a mark. */
export const markedHeaders = {
  'user-agent': `${MARK}-agent`,
  referer: `https://${MARK}.example/${MARK}?${MARK}`,
  cookie: `session=${MARK}`,
  authorization: `Bearer ${MARK}`,
  from: `${MARK}@client.example`,
  'x-forwarded-for': MARK,
  'x-request-id': MARK,
  'x-api-key': MARK,
  'accept-language': MARK,
  'idempotency-key': `${MARK}_0123456789`,
};

/** A valid payment with marks wherever a client may write freely. */
export function markedPayment(changes: Parameters<typeof fakePayment>[0] = {}): string {
  const payment = JSON.parse(Buffer.from(fakePayment(changes), 'base64').toString());
  return Buffer.from(
    JSON.stringify({
      ...payment,
      resource: { url: `https://${MARK}.example/`, description: MARK, mimeType: MARK },
      accepted: { ...payment.accepted, extra: { name: MARK, [MARK]: MARK } },
      extensions: { [MARK]: { info: MARK }, bazaar: { info: { input: MARK } } },
      [MARK]: MARK,
    }),
  ).toString('base64');
}

/** Claims that record everything they get and return. */
export function recorded(claims: Claims): { claims: Claims; notes: string[] } {
  const notes: string[] = [];
  const watching = new Proxy(claims, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        notes.push(JSON.stringify([name, given]));
        const result = member.apply(target, given);
        void Promise.resolve(result).then((value) => notes.push(JSON.stringify([name, value])));
        return result;
      };
    },
  });
  return { claims: watching, notes };
}
