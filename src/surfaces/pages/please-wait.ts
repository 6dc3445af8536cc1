import { once } from '../http/documents.ts';
import type { Site } from '../site.ts';
import { faultHtml } from './fault-page.ts';

const SOME_SECONDS = 60;

type Sent = 'link' | 'form';

/** Tells the reader that no input is lost: a browser keeps the submitted form until its page is left. */
const KEPT: Readonly<Record<Sent, string>> = {
  link: 'The address of this page holds what you asked for: load the page again then.',
  form: 'So that nothing is lost, please stay on this page: your browser still has what you wrote. Load the page again then, and say yes when it asks whether to send the form again.',
};

/** The page of a 429, built once for links and once for forms. It links back and contains no form values. */
export function pleaseWait(
  { path, heading }: { readonly path: string; readonly heading: string },
  site: Site,
): (seconds: number, sent: Sent) => string {
  const waiting = (seconds: number) => `please try again in ${seconds} seconds.`;
  const page = (sent: Sent) =>
    once(() =>
      faultHtml(
        {
          title: 'Please wait a moment',
          blocks: [
            { text: `That was a lot at once: ${waiting(SOME_SECONDS)} Nothing was charged.` },
            { text: KEPT[sent] },
            { text: ['Or begin anew, without it: ', { link: heading, href: path }, '.'] },
          ],
        },
        site,
      ),
    );
  const pages = { link: page('link'), form: page('form') };
  return (seconds, sent) => pages[sent]().replace(waiting(SOME_SECONDS), waiting(seconds));
}

/** The seconds of Retry-After. */
export const secondsIn = (headers: Readonly<Record<string, string>>): number =>
  Number(headers['Retry-After']) || SOME_SECONDS;
