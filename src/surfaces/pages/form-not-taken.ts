import { MAX_BODY_BYTES } from '../http/input.ts';
import type { Reply } from '../http/listener.ts';
import { problemReply } from '../http/reply.ts';
import { type ProblemCode, problem } from '../problem.ts';
import type { Site } from '../site.ts';
import { type FaultWords, faultHtml, wantsPage } from './fault-page.ts';

const WORDS: Readonly<Partial<Record<ProblemCode, FaultWords>>> = {
  payload_too_large: {
    title: 'That was too much at once',
    blocks: [
      {
        text: `As your browser sends it, what you wrote comes to more than ${MAX_BODY_BYTES / 1024} KB, the most that we take. Nothing was charged.`,
      },
      {
        text: 'Please go back with your browser’s own button, where most browsers still have what you wrote. Shorten the texts or leave out some lines, then send it again.',
      },
    ],
  },
  unsupported_media_type: {
    title: 'That was not sent as a form',
    blocks: [
      { text: 'What arrived here was not sent as a form, as this address takes it. Nothing was charged.' },
    ],
  },
};

const BROKEN_OFF: FaultWords = {
  title: 'That did not arrive whole',
  blocks: [
    { text: 'The connection broke off before all of it was here. Nothing was charged.' },
    {
      text: 'Please load this page again, and say yes when your browser asks whether to send the form again.',
    },
  ],
};

/** Answers a form whose body was refused: with a page for people, and with a problem for programs. */
export function formNotTaken(
  { path, heading }: { readonly path: string; readonly heading: string },
  site: Site,
  headers: Readonly<Record<string, string>>,
): (code: ProblemCode, accept: string | undefined) => Reply {
  return (code, accept) => {
    const found = problem(site.baseUrl, code);
    if (!wantsPage(accept)) return problemReply(found, { vary: 'Accept' });
    const { title, blocks } = WORDS[code] ?? BROKEN_OFF;
    const back = { text: ['The form: ', { link: heading, href: path }, '.'] };
    const html = faultHtml({ title, blocks: [...blocks, back] }, site);
    return { status: found.status, headers: { ...headers, vary: 'Accept' }, body: html };
  };
}
