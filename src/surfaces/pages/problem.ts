import { type ProblemType, problemPath } from '../problem.ts';
import type { Page } from './content.ts';

/** The page that the `type` of a problem resolves to. */
export const problemPage = ({ code, status, title, meaning, remedy }: ProblemType): Page => ({
  path: problemPath(code),
  title,
  description: meaning,
  blocks: [
    { text: [`HTTP status ${status}, code `, { code }, '.'] },
    { text: meaning },
    { heading: 'What to do' },
    { text: remedy },
    { text: [{ link: 'Every problem of this service', href: '/docs#problems' }] },
  ],
});
