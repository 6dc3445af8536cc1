import { parseDay } from '../domain/calendar.ts';
import { brandOf } from '../surfaces/pages/documents/brand.ts';
import { paymentLink } from '../surfaces/pages/documents/payment-link.ts';
import type { Cell, Sheet, SheetOption, SheetPart } from '../surfaces/pages/documents/sheet.ts';
import { orNull } from './or-null.ts';

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
    return orNull(() => readSheet(JSON.parse(new TextDecoder().decode(bytes))));
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

/* The link may come from anyone: only texts in known places are accepted, and nothing that links elsewhere. */

function readSheet(value: unknown): Sheet {
  const { title, business, contact, client, facts, parts, validUntil } = value as Sheet;
  return {
    ...brandOf(value as Sheet),
    kind: 'pack',
    ...(validUntil !== undefined && parseDay(text(validUntil)) !== null && { validUntil }),
    title: text(title),
    business: text(business),
    contact: texts(contact),
    client: texts(client),
    facts: facts.map(({ label, value: fact }) => ({ label: text(label), value: text(fact) })),
    parts: parts.map(readPart),
  };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('No text');
  return value;
}
const texts = (values: readonly unknown[]): readonly string[] => values.map(text);
const cell = (value: Cell): Cell =>
  typeof value === 'string' ? value : { value: text(value.value), below: text(value.below) };

function readPart(part: SheetPart): SheetPart {
  if ('heading' in part) return { heading: text(part.heading) };
  if ('subject' in part) return { subject: text(part.subject) };
  if ('lines' in part) return { lines: texts(part.lines) };
  if ('list' in part) return { list: texts(part.list) };
  if ('terms' in part)
    return { terms: part.terms.map((term) => ({ title: text(term.title), text: text(term.text) })) };
  if ('choices' in part)
    return { choices: part.choices.map(([label, total]) => [text(label), text(total)] as const) };
  if ('payment' in part) {
    const payment = paymentLink({ pay: text(part.payment.address), business: text(part.payment.of) });
    if (payment === null) throw new Error('No address of a payment page');
    return { payment };
  }
  if ('signature' in part) return { signature: texts(part.signature) };
  if ('options' in part) return { options: part.options.map(readOption) };
  if ('table' in part) {
    const { head, rows, totals } = part.table;
    return {
      table: {
        head: texts(head),
        rows: rows.map((cells) => cells.map(cell)),
        totals: totals.map(({ label, values, isMain = false }) => ({
          label: text(label),
          values: values.map(cell),
          isMain: isMain === true,
        })),
      },
    };
  }
  throw new Error('A part that no client document has');
}

const readOption = ({ label, total, isRecommended, lead, holds }: SheetOption): SheetOption => ({
  label: text(label),
  total: text(total),
  isRecommended: isRecommended === true,
  lead: text(lead),
  holds: texts(holds),
});
