import { convert } from 'html-to-text';
import { expect, it } from 'vitest';
import { inputSchema, outputSchema } from '../../src/catalog/schema.ts';
import { faultText } from '../../src/surfaces/pages/form-faults.tsx';
import { formOf } from '../../src/surfaces/pages/form-fields.ts';
import { blocksMarkdown } from '../../src/surfaces/pages/markdown.ts';
import { reportView } from '../../src/surfaces/pages/views/report.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import * as directory from '../pages/directory-samples.ts';
import { markdown, tally } from '../pages/listing-samples.ts';
import { smallReport } from '../pages/report-sample.ts';
import { BASE_URL, catalog, testApp } from '../support/app.ts';
import { ANSWERED, asked, FAULTY, operationAt } from './cases.ts';
import { packs } from './packs.ts';

// The sentences that callers and owners read, in one file; the letters are in letters.txt. After rewording one, run
// `npx vitest run test/prose test/letters/vectors.test.ts test/corpus -u`, and read the diff.

const short = (values: unknown): string => JSON.stringify(values).replace(/(.{200}).+/, '$1…');

/** Every sentence in an answer, each once, in order. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return /\w \w+ \w/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesOf) : [];
}

type Described = {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
};

/** The descriptions of a schema and of all schemas in it, by field. */
function described({ description, properties = {}, items, anyOf = [] }: Described, place: string): string[] {
  return [
    ...(description === undefined ? [] : [`${place || '(all)'}: ${description}`]),
    ...Object.entries(properties).flatMap(([name, member]) => described(member, `${place}/${name}`)),
    ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap((member) => described(member, place)),
  ];
}

function operations(): string[] {
  return catalog.map((operation) => {
    const { name, title, summary, description, input, output, page } = operation;
    const words = page === null ? [] : [page.heading, page.summary, page.lead];
    const { fields, lists } = formOf(operation);
    const labels = [...fields, ...lists.flatMap((list) => [list, ...list.fields])].map(
      (field) => `${field.name}: ${[field.label, field.help].filter(Boolean).join('. ')}`,
    );
    return [
      `=== ${name}: ${title}`,
      summary,
      description,
      ...words,
      ...['--- input', ...described(inputSchema({ input }) as Described, '')],
      ...['--- output', ...described(outputSchema({ output }) as Described, '')],
      ...(page === null ? [] : ['--- form', ...labels]),
    ].join('\n');
  });
}

const problems = () =>
  problemTypes.map(
    ({ code, title, meaning, remedy }) => `=== problem ${code}\n${title}\n${meaning}\n${remedy}`,
  );

const answers = () =>
  ANSWERED.map(([path, values]) => {
    const told = sentencesOf(asked(path, values).body);
    return [`=== ${path} ${short(values)}`, ...new Set(told)].join('\n');
  });

const faults = () =>
  FAULTY.map(([path, values]) => {
    const told = asked(path, values).faults.flatMap((fault) => [
      `${fault.pointer} ${fault.detail}${fault.hint === undefined ? '' : ` (${fault.hint})`}`,
      `  ${faultText(fault, formOf(operationAt(path)))}`,
    ]);
    return [`=== ${path} ${short(values)}`, ...told].join('\n');
  });

const views = () => [
  `=== a listing\n${markdown(tally)}`,
  `=== a report\n${blocksMarkdown(reportView(smallReport), BASE_URL)}`,
  `=== a directory\n${directory.markdown(directory.whole)}`,
  `=== a category\n${directory.markdown(directory.one)}`,
];

async function pages(): Promise<string[]> {
  const { get } = testApp();
  const paths = ['/', ...catalog.flatMap(({ page }) => (page === null ? [] : [page.path]))];
  const own = [...paths, '/legal'].filter(
    // Its text changes with the directory.
    (path) => !path.includes('{') && path !== '/tools',
  );
  return Promise.all(
    own.map(async (path) => {
      const html = await (await get(path, { accept: 'text/html' })).text();
      const selectors = [
        { selector: 'a', options: { ignoreHref: true } },
        { selector: 'img', format: 'skip' },
        ...['header', 'nav', 'footer', 'script', 'select'].map((selector) => ({ selector, format: 'skip' })),
      ];
      return `=== page ${path}\n${convert(html, { wordwrap: false, selectors })}`;
    }),
  );
}

it('the sentences that callers and owners read equal those of prose.txt', async () => {
  const told = [
    ...operations(),
    ...problems(),
    ...answers(),
    ...faults(),
    ...packs(),
    ...views(),
    ...(await pages()),
  ];
  await expect(`${told.join('\n\n')}\n`).toMatchFileSnapshot('../vectors/prose.txt');
});
