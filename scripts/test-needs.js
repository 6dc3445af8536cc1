// Requirements of some suites outside the project: programs of the operating system, and the tools under tools/. Each
// is requested only if a suite that needs it exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { needs, obtained } from './test-programs.js';
import { fetchTool } from './tool.js';

/**
 * A proxy, which belongs to no single suite: if it is available, all tests in these folders send their requests
 * through it.
 */
const PROXY = {
  tool: 'openapi',
  suites: /^test\/(http|payments|privacy)\//,
  what: 'the validating proxy before test/{http,payments,privacy}',
  name: 'SKIP_OPENAPI',
};

/** The one suite with a browser that `npm test` runs. */
const WALK = 'test/pages/walk.browser.test.ts';

/** Whether `npm test` runs a file: `name.test.ts` needs only memory and the chain. */
const isQuick = (file) => file === WALK || !/\.[\w-]+\.test\.tsx?$/.test(file);

const suiteFiles = (filters, scope) =>
  ['src', 'test']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => scope !== 'quick' || isQuick(file))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));

/** The facts in a file's source: the tools that it fetches and the project files that it imports. */
const readings = new Map();
const reading = (file) => {
  const known = readings.get(file);
  if (known) return known;
  const source = readFileSync(file, 'utf8');
  const tools = [...source.matchAll(/\bfetchTool\('([\w-]+)'\)/g)].map(([, name]) => name);
  const imports = [...source.matchAll(/(?:from|import) '(\.[^']+\.(?:tsx?|js))'/g)].map(([, path]) =>
    join(dirname(file), path),
  );
  const read = { tools, imports: imports.filter((path) => existsSync(path)) };
  readings.set(file, read);
  return read;
};

/** The tools that a suite fetches, directly or through its imports. */
const toolsOf = (suite) => {
  const reached = new Set([suite]);
  for (const file of reached) for (const imported of reading(file).imports) reached.add(imported);
  return [...new Set([...reached].flatMap((file) => reading(file).tools))];
};

/** Fetches every tool that these suites use; returns the reason, by name, for each tool that is unavailable. */
const fetchTools = (names) => {
  const refusals = new Map();
  for (const name of names)
    try {
      fetchTool(name);
    } catch (error) {
      refusals.set(name, error.message);
    }
  return refusals;
};

const prepareTools = (files) => {
  const suites = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((suite) => ({ suite, tools: toolsOf(suite) }));
  const behindProxy = suites.some(({ suite }) => PROXY.suites.test(suite));
  const names = [...(behindProxy ? [PROXY.tool] : []), ...suites.flatMap(({ tools }) => tools)];
  const refusals = fetchTools(new Set(names));
  const skipped = suites.flatMap(({ suite, tools }) => {
    const reason = tools.map((name) => refusals.get(name)).find(Boolean);
    return reason ? [{ suite, reason }] : [];
  });
  const noProxy = behindProxy && refusals.get(PROXY.tool);
  if (!noProxy) return { env: {}, skipped };
  return { env: { [PROXY.name]: noProxy }, skipped: [...skipped, { suite: PROXY.what, reason: noProxy }] };
};

const preparePrograms = (files) => {
  const wanted = needs
    .map((need) => ({ ...need, suites: files.filter((file) => need.suite.test(file)) }))
    .filter(({ suites }) => suites.length > 0);
  const env = {};
  const skipped = [];
  // One by one, so that an unavailable package does not prevent the others.
  for (const need of wanted) {
    const { path, reason } = obtained(need);
    if (path) env[`${need.name}_PATH`] = path;
    else {
      env[`SKIP_${need.name}`] = reason;
      skipped.push(...need.suites.map((suite) => ({ suite, reason })));
    }
  }
  return { env, skipped };
};

/**
 * Provides the programs and tools that suites need. `filters` (parts of paths; none for all) selects suites, and the
 * scope `quick` limits them to the suites of `npm test`. Returns variables for the tests: <name>_PATH for an available
 * program, and SKIP_<name>=reason for an unavailable one. It also returns the suites that therefore cannot run, with
 * the reason.
 */
export const prepare = (filters, scope) => {
  const paths = filters.map((filter) => filter.replaceAll('\\', '/').replace(/^\.\//, ''));
  const files = suiteFiles(paths, scope);
  const programs = preparePrograms(files);
  const unusable = new Set(programs.skipped.map(({ suite }) => suite));
  // Fetches nothing for a suite that cannot run anyway.
  const tools = prepareTools(files.filter((file) => !unusable.has(file)));
  return { env: { ...programs.env, ...tools.env }, skipped: [...programs.skipped, ...tools.skipped] };
};
