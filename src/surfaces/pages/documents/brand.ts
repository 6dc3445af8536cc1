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

/** Whether a text is a small picture without scripts. */
export const isLogo = (text: string): boolean => text.length <= LONGEST && LOGO.test(text);

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
