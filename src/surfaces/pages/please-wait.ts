import { once } from '../http/document.ts';
import type { Site } from '../site.ts';
import { pageHtml } from './html.tsx';

const SOME_SECONDS = 60;

/** The page of a 429, made once: it links back, and holds no values of the form. */
export function pleaseWait(
  { path, heading }: { readonly path: string; readonly heading: string },
  site: Site,
): (seconds: number) => string {
  const waiting = (seconds: number) => `please try again in ${seconds} seconds.`;
  const html = once(() =>
    pageHtml(
      {
        path: '',
        title: 'Please wait a moment',
        description: 'Too much was asked for at once.',
        blocks: [
          { text: `That was a lot at once: ${waiting(SOME_SECONDS)} Nothing was charged.` },
          { text: 'What you wrote is still there when you go back.' },
          { text: ['Or begin anew: ', { link: heading, href: path }, '.'] },
        ],
      },
      site,
      { isNowhere: true },
    ),
  );
  return (seconds) => html().replace(waiting(SOME_SECONDS), waiting(seconds));
}

/** The seconds of Retry-After. */
export const secondsIn = (headers: Headers): number => Number(headers.get('retry-after')) || SOME_SECONDS;
