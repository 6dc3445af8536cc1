import { typeChooser } from '../http/negotiation.ts';
import type { Site } from '../site.ts';
import type { Page } from './content.ts';
import { pageHtml } from './html.tsx';

const TYPES = ['application/problem+json', 'application/json', 'text/html'];
const choose = typeChooser(TYPES);

/** Whether the client prefers a page, as browsers do, to a problem for programs. */
export const wantsPage = (accept: string | undefined): boolean => TYPES[choose(accept)] === 'text/html';

export type FaultWords = Pick<Page, 'title' | 'blocks'>;

/** A page that is shown instead of another and has no address. */
export const faultHtml = ({ title, blocks }: FaultWords, site: Site): string =>
  pageHtml({ path: '', title, description: title, blocks }, site, { isNowhere: true });
