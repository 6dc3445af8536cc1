import { release } from '../../platform/release.ts';
import { once } from '../http/documents.ts';
import { type ProblemType, problemPath, problemTypes } from '../problem.ts';
import type { Listed, Site } from '../site.ts';
import { type Calculator, calculatorPage, isCalculator, pageOwners } from './calculator.tsx';
import { formPageHtml } from './calculators.ts';
import type { Page, PageSource } from './content.ts';
import { developersPage } from './developers.ts';
import { directoryPages, newest } from './directory-pages.tsx';
import { docsPage } from './docs.ts';
import { directoryIndex, finderHtml } from './finder-pages.tsx';
import { homeHtml, homePage } from './home.tsx';
import { LEGAL_CHANGED_ON, LEGAL_PATH, legalPage } from './legal.ts';
import { placed } from './shell.tsx';
import { tradePages } from './trade-pages.tsx';
import { type DirectoryBody, directoryView } from './views/directory.ts';

/** A page of the service; `html` if it is more than its blocks, such as a form with a script. */
export type OwnPage = PageSource & Listed & { readonly html?: () => string };

export type OwnPages = {
  /** The pages that documents name, in reading order. */
  readonly main: readonly OwnPage[];
  /** The pages of the trades, categories and listings, which are too many to name individually. */
  readonly directory: readonly OwnPage[];
};

/** Every page for people that search engines may list. */
export function ownPages(site: Site): OwnPages {
  const directory = directoryPages(site);
  const written = (path: string, make: (site: Site) => Page, changedOn: string | null): OwnPage => ({
    path,
    changedOn,
    page: once(() => make(site)),
  });
  const main = [
    { ...written('/', homePage, release.day), html: once(() => homeHtml(site)) },
    ...calculatorPages(site),
    ...toolsPages(site, newest(directory.map(({ changedOn }) => changedOn))),
    written('/developers', developersPage, release.day),
    written('/docs', docsPage, release.day),
    written(LEGAL_PATH, legalPage, LEGAL_CHANGED_ON),
  ];
  return { main, directory: [...tradePages(site), ...directory] };
}

const calculatorPages = (site: Site): readonly OwnPage[] =>
  pageOwners(site.operations).map((operation) => ({
    path: operation.page.path,
    changedOn: release.day,
    page: once(() => withSteps(operation, site)),
    html: once(() => formPageHtml(operation, site)()),
  }));

/** A page as text, including the operations that are its steps. */
function withSteps(owner: Calculator, site: Site): Page {
  const steps = site.operations.filter(
    (one): one is Calculator => isCalculator(one) && one !== owner && one.page.path === owner.page.path,
  );
  const page = calculatorPage(owner, site);
  const further = steps.flatMap((step) => [
    { heading: step.page.heading },
    ...calculatorPage(step, site).blocks,
  ]);
  return { ...page, blocks: [...page.blocks, ...further] };
}

/** The whole directory on one page. */
const toolsPages = (site: Site, changedOn: string | null): readonly OwnPage[] =>
  placed(site).flatMap((operation) => {
    if (operation.name !== 'list_tools') return [];
    const { path, heading, summary, lead } = operation.page;
    const page = once(() => ({
      path,
      title: heading,
      description: summary,
      blocks: [{ text: lead }, ...directoryView(site.ask(operation, {}) as DirectoryBody)],
    }));
    const html = once(() => finderHtml(directoryIndex(site, operation), site, operation));
    return [{ path, changedOn, page, html }];
  });

/** The page that the `type` of a problem resolves to. */
const problemPage = ({ code, status, title, meaning, remedy }: ProblemType): Page => ({
  path: problemPath(code),
  title,
  description: meaning,
  blocks: [
    { text: [`HTTP status ${status}, code `, { code }, '.'] },
    { text: meaning },
    { heading: 'What to do' },
    { text: remedy },
    { text: [{ link: 'All problems of this service', href: '/docs#problems' }] },
  ],
});

/** The pages that the `type` of a problem links to. */
export const problemPages: readonly PageSource[] = problemTypes.map((type) => ({
  path: problemPath(type.code),
  page: once(() => problemPage(type)),
}));
