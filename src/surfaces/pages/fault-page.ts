import { typeChooser } from '../http/negotiation.ts';
import type { Site } from '../site.ts';
import type { Page } from './content.ts';
import { pageHtml } from './html.tsx';

const TYPES = ['application/problem+json', 'application/json', 'text/html'];
const choose = typeChooser(TYPES);

/** Whether somebody would rather read a page, as browsers ask for one, than a problem for programs. */
export const wantsPage = (accept: string | undefined): boolean => TYPES[choose(accept)] === 'text/html';

export type FaultWords = Pick<Page, 'title' | 'blocks'>;

/** A page that stands in the place of another, and has no address of its own. */
export const faultHtml = ({ title, blocks }: FaultWords, site: Site): string =>
  pageHtml({ path: '', title, description: title, blocks }, site, { isNowhere: true });
