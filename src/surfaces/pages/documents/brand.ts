import type { Letterhead } from './letterhead.ts';

/* The look of the owner's business on a document. A link may come from anyone, so both values are checked. */

/** Accent colors by name, with their labels. Each has enough contrast on white (documents.css). */
export const ACCENTS: readonly (readonly [name: string, label: string])[] = [
  ['green', 'Green'],
  ['blue', 'Blue'],
  ['teal', 'Teal'],
  ['purple', 'Purple'],
  ['red', 'Red'],
  ['brown', 'Brown'],
  ['black', 'Black'],
];

/** Maximum length of a logo, as the address of its data. */
const LONGEST = 8_192;
const LOGO = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Maximum width times height; some kilobytes can declare a picture that fills the memory of a phone. */
const MOST_PIXELS = 250_000;

/** Whether a text is a small picture without scripts. */
export function isLogo(text: string): boolean {
  if (text.length > LONGEST || !LOGO.test(text)) return false;
  try {
    return pixelsOf(atob(text.slice(text.indexOf(',') + 1))) <= MOST_PIXELS;
  } catch {
    return false;
  }
}

/** Width times height as the header of a PNG, WebP or JPEG declares them; infinite for other data. */
function pixelsOf(data: string): number {
  const view = new DataView(Uint8Array.from(data, (character) => character.charCodeAt(0)).buffer);
  if (data.startsWith('\x89PNG')) return view.getUint32(16) * view.getUint32(20);
  if (data.startsWith('RIFF')) return webpPixels(data.slice(8, 16), view);
  if (!data.startsWith('\xff\xd8')) return Number.POSITIVE_INFINITY;
  // The segments of a JPEG, up to the one that starts the frame.
  let at = 2;
  while (!JPEG_FRAME.test(data.slice(at, at + 2))) at += 2 + view.getUint16(at + 2);
  return view.getUint16(at + 5) * view.getUint16(at + 7);
}

// C4 and CC are tables, and C8 is reserved. None of them starts a frame.
const JPEG_FRAME = /^\xff[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]/;

function webpPixels(kind: string, view: DataView): number {
  if (kind === 'WEBPVP8 ') return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
  if (kind === 'WEBPVP8X')
    return ((view.getUint32(24, true) & 0xffffff) + 1) * ((view.getUint32(26, true) >>> 8) + 1);
  if (kind !== 'WEBPVP8L') return Number.POSITIVE_INFINITY;
  const sizes = view.getUint32(21, true);
  return ((sizes & 0x3fff) + 1) * (((sizes >>> 14) & 0x3fff) + 1);
}

export type Brand = { readonly logo?: string; readonly accent?: string };

/** The logo and the accent color of a letterhead, or of a document in a link; each only if it is valid. */
export function brandOf({ logo, accent }: Partial<Pick<Letterhead, 'logo' | 'accent'>>): Brand {
  return {
    ...(typeof logo === 'string' && isLogo(logo) && { logo }),
    ...(ACCENTS.some(([name]) => name === accent) && { accent: String(accent) }),
  };
}

const NAME = 'paper.logo';

/** The logo as a part of a link. */
export const logoQuery = (logo: string): string => `&${NAME}=${encodeURIComponent(logo)}`;

/** The logo in a part of a link; '' if there is none that is valid. */
export const logoIn = (query: string): string =>
  brandOf({ logo: new URLSearchParams(query).get(NAME) ?? '' }).logo ?? '';
