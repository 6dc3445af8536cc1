import { parseDay } from '../domain/calendar.ts';
import { brandOf } from '../surfaces/pages/documents/brand.ts';
import { type PaymentLink, paymentLink } from '../surfaces/pages/documents/payment-link.ts';
import { type Sheet, type SheetPart, sheetText } from '../surfaces/pages/documents/sheet.ts';

/*
 * A purchased document after the # of a client's link: the finished document, compressed. It is not rebuilt from the
 * values, because the answer costs money.
 */

const NAME = 'sheet';

/** The address at which a client reads a document. */
export async function sheetLink(sheet: Sheet): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(sheet));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const safe = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${location.origin}/quote#${NAME}=${safe}`;
}

// A pack with fifty lines takes about 30 KB.
const MOST_CHARACTERS = 200_000;

/** The document in part of a link; null if there is none or it cannot be read. */
export async function sheetIn(query: string): Promise<Sheet | null> {
  const text = new URLSearchParams(query).get(NAME);
  if (text === null) return null;
  try {
    const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const bytes = await through(packed, new DecompressionStream('deflate-raw'));
    return readSheet(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const out = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: number[] = [];
  for (let next = await out.read(); !next.done; next = await out.read()) {
    if (parts.length + next.value.length > MOST_CHARACTERS) throw new Error('Too long for a document');
    parts.push(...next.value);
  }
  return Uint8Array.from(parts);
}

/* The link may come from anyone: it has only texts in known parts, and links to nothing except a payment page. */

const PARTS = ['heading', 'subject', 'lines', 'list', 'terms', 'choices', 'signature', 'options', 'table'];

function readSheet(json: string): Sheet {
  const sent = JSON.parse(json, (_, value) => {
    if (value === null || typeof value === 'number') throw new Error('Not a text');
    return value;
  }) as Sheet;
  const { title, business, contact, client, facts, validUntil = '' } = sent;
  const sheet: Sheet = {
    ...brandOf(sent),
    ...{ kind: 'pack', title, business, contact, client, facts },
    ...(parseDay(validUntil) !== null && { validUntil }),
    parts: sent.parts.map(readPart),
  };
  // Throws if a part does not have the shape of its kind.
  sheetText(sheet);
  return sheet;
}

function readPart(part: SheetPart): SheetPart {
  const [[name = '', value] = []] = Object.entries(part);
  if (PARTS.includes(name)) return { [name]: value } as SheetPart;
  const { address: pay, of: business } = (part as { payment: PaymentLink }).payment;
  const payment = paymentLink({ pay, business });
  if (payment === null) throw new Error('No address of a payment page');
  return { payment };
}
