// `npm run mutants`: makes one small change to the source at a time, and checks whether a test notices. `-- --seed 2
// --count 300 --only src/exchange` selects the mutants. `--list` only names them; `--json` prints all. A mutant runs
// against the nearest tests first, then against the second circle of its folder (CIRCLES below). No file is written:
// vitest receives the changed source of one module at a time, in this process.
import './node-version.js';
import './test-folder.js';
import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { createVitest } from 'vitest/node';
import { optionsOf } from './options.js';

/** The selection is spread evenly over these areas; a file belongs to the longest one that its path begins with. */
const AREAS = [
  'src/catalog',
  'src/domain',
  'src/domain/late-fee',
  'src/domain/money',
  'src/domain/quote',
  'src/exchange',
  'src/payments',
  'src/payments/chain',
  'src/payments/x402',
  'src/report',
];

/** The folders with the second-circle tests, by source folder. Only tests that reach the file run. */
const CIRCLES = {
  'src/catalog/': ['src/catalog/', 'src/operations/', 'src/exchange/validate', 'src/exchange/request'],
  'src/domain/': ['src/domain/', 'test/domain/', 'test/letters/', 'test/prose/'],
  'src/exchange/': ['src/exchange/', 'test/exchange/', 'test/privacy/', 'test/http/p', 'test/http/challenge'],
  'src/payments/': ['src/payments/', 'test/payments/'],
  'src/payments/x402/': ['src/payments/', 'src/exchange/', 'test/exchange/', 'test/http/paying'],
  'src/report/': ['src/report/', 'test/directory/'],
};
/** Suites on a real chain or Redis that are also in the second circle of a folder. */
const ON_PROGRAMS = {
  'src/exchange/': [
    'exchange/claims.redis',
    'payments/payee-watch',
    'payments/unknown-outcomes',
    'payments/idempotency',
    'payments/refusals',
    'redis/taken-over.redis',
    'redis/distrust.redis',
  ],
  'src/payments/': [
    'payments/purchases',
    'payments/unknown-outcomes',
    'payments/chain-watch',
    'payments/payee-watch',
  ],
};

// Tests that start these programs take seconds, so they are never in the first circle.
const PROGRAMS = /^test\/support\/(chain|redis)\.ts$/;
// Mutants do not run tests that need a build, a browser or more.
const TOO_FAR =
  /\.(browser|nginx|caddy|systemd|prometheus|curl|python|go)\.test|^test\/(client|performance|attacks|pages|soak)\//;
const BUILT = /^test\/support\/(built-program|built-service|pages-under-test)\.ts$/;

// A mutant that loops is stopped by its processor time, a multiple of what the tests use without it, so that a busy
// machine stops nothing. A mutant that waits forever is stopped after far more time than a test takes.
const LOOP_CPU_MS = 10_000;
const LOOP_TIMES = 3;
const WAIT_MS = 120_000;

const options = {
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '300' },
  only: { type: 'string', default: 'src/' },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
};

/**
 * @typedef {{ file: string, line: number, operator: string, start: number, end: number, by: string, change: string }}
 *   Mutant `by` replaces the text from `start` to `end`; `change` is the resulting line.
 */

// ---- The operators ----

const OTHER = {
  boundary: { '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  comparison: { '===': '!==', '!==': '===', '<': '>=', '>=': '<', '>': '<=', '<=': '>' },
  arithmetic: { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*', '&': '|', '|': '&' },
  logical: { '&&': '||', '||': '&&', '??': '&&' },
  assignment: { '+=': '-=', '-=': '+=', '*=': '/=', '||=': '&&=', '&&=': '||=', '??=': '=' },
};
const BOTH_WAYS = ['some every', 'startsWith endsWith', 'padStart padEnd', 'min max', 'floor ceil']
  .concat(['find findLast', 'shift pop', 'push unshift', 'toLowerCase toUpperCase'])
  .map((pair) => pair.split(' '));
const METHODS = Object.fromEntries([...BOTH_WAYS, ...BOTH_WAYS.map(([one, other]) => [other, one])]);
const CALLS_LEFT_OUT = new Set(
  [
    'filter',
    'slice',
    'sort',
    'toSorted',
    'reverse',
    'toReversed',
    'trim',
    'trimStart',
    'trimEnd',
    'flat',
  ].concat(['toLowerCase', 'toUpperCase', 'replace', 'replaceAll']),
);

/** The replacements for each kind of node: [operator, start, end, new text]. */
const operators = {
  BinaryExpression: (node, text) =>
    ['boundary', 'comparison', 'arithmetic'].flatMap((name) => swapped(name, node, text)),
  LogicalExpression: (node, text) => swapped('logical', node, text),
  AssignmentExpression: ({ left, right, operator }, text) =>
    operator in OTHER.assignment
      ? [between('assignment', left, right, text, operator, OTHER.assignment[operator])]
      : [],
  IfStatement: ({ test }) => ['true', 'false'].map((to) => ['condition', test.start, test.end, to]),
  ConditionalExpression: ({ test }) => ['true', 'false'].map((to) => ['condition', test.start, test.end, to]),
  WhileStatement: ({ test }) => [['condition', test.start, test.end, 'false']],
  ForStatement: ({ test }) => (test ? [['condition', test.start, test.end, 'false']] : []),
  UnaryExpression: ({ operator, start, end, argument }, text) =>
    operator === '!' || operator === '-'
      ? [['sign', start, end, `(${text.slice(argument.start, argument.end)})`]]
      : [],
  UpdateExpression: ({ operator, argument, prefix, start, end }) => {
    const to = operator === '++' ? '--' : '++';
    return [['arithmetic', ...(prefix ? [start, argument.start] : [argument.end, end]), to]];
  },
  Literal: ({ value, bigint, start, end }) => {
    if (typeof value === 'boolean') return [['boolean', start, end, String(!value)]];
    if (typeof value === 'string') return [['text', start, end, value === '' ? "'changed'" : "''"]];
    if (bigint) return [1n, -1n].map((by) => ['number', start, end, `(${BigInt(bigint) + by}n)`]);
    if (typeof value === 'number') return [1, -1].map((by) => ['number', start, end, `(${value + by})`]);
    return [];
  },
  TemplateLiteral: ({ start, end }) => [['text', start, end, '``']],
  ArrayExpression: ({ elements, start, end }) => (elements.length > 0 ? [['list', start, end, '[]']] : []),
  ExpressionStatement: ({ expression, start, end }) =>
    expression.type === 'Literal' || expression.callee?.type === 'Super'
      ? []
      : [['statement', start, end, ';']],
  ThrowStatement: ({ start, end }) => [['statement', start, end, ';']],
  BreakStatement: ({ start, end }) => [['statement', start, end, ';']],
  ContinueStatement: ({ start, end }) => [['statement', start, end, ';']],
  MemberExpression: ({ object, property, optional, computed }, text) => [
    ...(optional ? [between('optional', object, property, text, '?.', computed ? '' : '.')] : []),
    ...(!computed && Object.hasOwn(METHODS, property.name)
      ? [['method', property.start, property.end, METHODS[property.name]]]
      : []),
  ],
  CallExpression: ({ callee, end }) =>
    callee.type === 'MemberExpression' && !callee.computed && CALLS_LEFT_OUT.has(callee.property.name)
      ? [['call', callee.object.end, end, '']]
      : [],
};

function swapped(name, { left, right, operator, start, end }, text) {
  const to = OTHER[name][operator];
  const isText = [left, right].some(
    ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string',
  );
  if (to === undefined || (name === 'arithmetic' && isText)) return [];
  // In parentheses, because `??` cannot be combined with other operators.
  const side = (node) => `(${text.slice(node.start, node.end)})`;
  return [[name, start, end, `(${side(left)} ${to} ${side(right)})`]];
}

function between(name, left, right, text, from, to) {
  const at = text.indexOf(from, left.end);
  return at < 0 || at >= right.end ? [name, left.end, left.end, ''] : [name, at, at + from.length, to];
}

/** The child nodes that are executed code: no types, and no names of modules or properties. */
function children(node) {
  const isNoCode = (child, key) =>
    (child.type?.startsWith('TS') &&
      !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(child.type)) ||
    (key === 'source' && /^(Import|Export)/.test(node.type)) ||
    (key === 'key' && !node.computed) ||
    (key === 'quasi' && node.type === 'TaggedTemplateExpression');
  return Object.entries(node).flatMap(([key, value]) =>
    [value].flat().filter((child) => typeof child?.type === 'string' && !isNoCode(child, key)),
  );
}

/** @returns {Mutant[]} Every mutant of a file, in the order of its text. */
function mutantsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = new Map();
  const visit = (node) => {
    for (const [operator, start, end, by] of operators[node.type]?.(node, text) ?? []) {
      if (text.slice(start, end) === by) continue;
      const line = text.slice(0, start).split('\n').length;
      const lineEnd = text.indexOf('\n', end);
      const changed = `${text.slice(text.lastIndexOf('\n', start) + 1, start)}${by}${text.slice(end, lineEnd)}`;
      const change = changed.trim().replaceAll(/\s+/g, ' ');
      found.set(`${start} ${end} ${by}`, { file, line, operator, start, end, by, change });
    }
    children(node).forEach(visit);
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return [...found.values()].toSorted((one, other) => one.start - other.start || one.end - other.end);
}

// ---- The selection ----

const longestOf = (starts, path) =>
  starts
    .filter((start) => path.startsWith(start))
    .reduce((one, other) => (other.length > one.length ? other : one));
const areaOf = (file) => longestOf(AREAS, file);

/** Numbers from 0 to 1 determined by a seed (mulberry32 over a hash of its text). */
function randomOf(seed) {
  let state = [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same number from each area that has mutants. The selection in an area depends only on the seed. */
function drawn(mutants, seed, count) {
  const areas = AREAS.map((area) => [area, mutants.filter(({ file }) => areaOf(file) === area)]);
  const held = areas.filter(([, own]) => own.length > 0);
  const each = Math.ceil(count / held.length);
  return held.flatMap(([area, own]) => {
    const random = randomOf(`${seed} ${area}`);
    for (let at = own.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [own[at], own[other]] = [own[other], own[at]];
    }
    return own.slice(0, each);
  });
}

// ---- The nearest tests ----

const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<from>\.[^']+)'|\bimport\('(?<late>\.[^']+)'\)/gm;

function readFiles() {
  const paths = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => posix.join(folder, path.replaceAll('\\', '/'))),
  );
  const files = new Map();
  for (const path of paths.filter((path) => /\.tsx?$/.test(path)).toSorted()) {
    const source = readFileSync(path, 'utf8');
    const imports = [...source.matchAll(IMPORT)]
      .filter(({ groups }) => groups.type === undefined)
      .map(({ groups }) => posix.join(posix.dirname(path), groups.from ?? groups.late));
    files.set(path, { imports, fetches: /\bfetchTool\(/.test(source) });
  }
  return files;
}

/** Every file that a file imports, directly or indirectly, with the number of steps to it. */
function reachedFrom(path, files) {
  const reached = new Map([[path, 0]]);
  for (const [file, steps] of reached)
    for (const imported of files.get(file)?.imports ?? [])
      if (!reached.has(imported) && files.has(imported)) reached.set(imported, steps + 1);
  return reached;
}

/** The tests to run for a file: the nearest ones, and the second-nearest ones, by distance. */
function circles() {
  const files = readFiles();
  const tests = [...files.keys()]
    .filter((path) => /\.test\.tsx?$/.test(path) && !TOO_FAR.test(path))
    .map((path) => {
      const reached = reachedFrom(path, files);
      const outside = [...reached.keys()].filter((file) => file.startsWith('test/'));
      const isBig = outside.some((file) => PROGRAMS.test(file)) || path.includes('.redis.');
      return {
        path,
        reached,
        isBig,
        isTooFar: outside.some((file) => files.get(file).fetches || BUILT.test(file)),
      };
    })
    .filter(({ isTooFar }) => !isTooFar);
  return (file) => {
    const folder = longestOf(Object.keys(CIRCLES), file);
    const isBeside = ({ path }) => path.replace(/\.test\.tsx?$/, '.ts') === file;
    const near = (test) => isBeside(test) || test.reached.get(file) === 1;
    const isListed = ({ path, isBig }) =>
      isBig
        ? (ON_PROGRAMS[folder] ?? []).some((name) => path.startsWith(`test/${name}.`))
        : CIRCLES[folder].some((start) => path.startsWith(start));
    const steps = (test) => (isBeside(test) ? 0 : test.reached.get(file) + (test.isBig ? 100 : 0));
    const byDistance = (some) =>
      some.toSorted((one, other) => steps(one) - steps(other)).map(({ path }) => path);
    const reaching = tests.filter(({ reached }) => reached.has(file));
    const first = reaching.filter((test) => near(test) && !test.isBig);
    const second = reaching.filter((test) => !first.includes(test) && isListed(test));
    return [byDistance(first), byDistance(second)];
  };
}

// ---- The runs ----

/** A test that generates only as many inputs as it takes to notice a change. */
const withFewInputs = (code) => code.replaceAll(/\bnumRuns: [\d_]{4,}/g, 'numRuns: 300');

class AsGiven {
  sort = async (files) => files;
  shard = async (files) => files;
}

/** A reusable vitest, and the replacement for the source of one file. */
async function startVitest() {
  let mutant = null;
  const mutating = {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?')[0];
      if (/\.test\.ts$/.test(file)) return withFewInputs(code);
      if (mutant === null || file !== resolve(mutant.file)) return undefined;
      return code.slice(0, mutant.start) + mutant.by + code.slice(mutant.end);
    },
  };
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      include: ['{src,test}/**/*.test.{ts,tsx}'],
      setupFiles: ['test/support/properties.ts'],
      // One worker for the tests of a mutant, and a new one for the next.
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      update: false,
      // Runs the tests in the given order: the nearest test is the most likely to notice, and the cheapest.
      sequence: { sequencer: AsGiven },
      reporters: [{}],
      silent: true,
      testTimeout: WAIT_MS,
      hookTimeout: WAIT_MS,
      expect: { poll: { timeout: 10_000, interval: 20 } },
    },
    {
      plugins: [mutating],
      oxc: { jsx: { development: false } },
      logLevel: 'silent',
    },
  );
  const project = vitest.getRootProject();

  /** Runs tests, with one changed file or none; returns the failures. */
  async function failuresOf(tests, changed = null) {
    mutant = changed;
    // For a mutant, the first failure is enough.
    project.config.bail = changed ? 1 : 0;
    if (changed) vitest.invalidateFile(resolve(changed.file));
    const specifications = tests.map((path) => project.createSpecification(resolve(path)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    if (changed) vitest.invalidateFile(resolve(changed.file));
    mutant = null;
    const failed = testModules.filter(
      (module) =>
        module.state() === 'failed' && specifications.some(({ moduleId }) => moduleId === module.moduleId),
    );
    const failures = failed.map((module) => {
      const [test] = module.children.allTests('failed');
      const file = module.relativeModuleId;
      const isLate = test?.result().errors?.some(({ message }) => /timed out in \d+ms/.test(message));
      return { file, isLate, by: test ? `${file} > ${test.fullName}` : file };
    });
    return failures.length === 0 && unhandledErrors.length > 0
      ? [{ file: tests[0], by: 'an error outside of tests' }]
      : failures;
  }

  /** How a mutant is killed; null if every test passes. */
  async function killed(tests, changed, cpuLimitMs) {
    let isLooping = false;
    const stop = whenLooping(cpuLimitMs, () => {
      isLooping = true;
      // Vitest stops waiting for the worker only at the second call.
      for (const reason of ['test-failure', 'test-failure'])
        void vitest.cancelCurrentRun(reason).catch(() => {});
    });
    const [failure] = await failuresOf(tests, changed);
    stop();
    if (isLooping) return { state: 'endless' };
    if (failure?.isLate) return { state: 'endless', killer: failure.by };
    return failure ? { state: 'killed', killer: failure.by } : null;
  }

  return { failuresOf, killed, close: () => vitest.close() };
}

/** Processor time that this process has used, including its workers, in milliseconds. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Calls `end` once the limit is exceeded; returns a function that stops the check. */
function whenLooping(cpuLimitMs, end) {
  const startedCpuMs = cpuMs();
  const timer = setInterval(() => {
    if (cpuMs() - startedCpuMs <= cpuLimitMs) return;
    clearInterval(timer);
    end();
  }, 1_000);
  return () => clearInterval(timer);
}

/**
 * The tests that pass on the unchanged code, with the processor time that they use; each test is tried once, when it is
 * first needed.
 */
function soundOf(vitest) {
  const known = new Map();
  return async (tests) => {
    const fresh = tests.filter((path) => !known.has(path));
    const startedCpuMs = cpuMs();
    const failures = fresh.length === 0 ? [] : await vitest.failuresOf(fresh);
    for (const path of fresh) known.set(path, cpuMs() - startedCpuMs);
    for (const { file, by } of failures) {
      known.set(file, null);
      console.error(`skipped, because it fails without a mutant: ${by}`);
    }
    const sound = tests.filter((path) => known.get(path) !== null);
    return { sound, usualMs: Math.max(0, ...sound.map((path) => known.get(path))) };
  };
}

/** Judges a mutant; a test that fails or never ends kills it. */
async function judged(mutant, testsOf, sounding, vitest) {
  for (const [circle, tests] of testsOf(mutant.file).entries()) {
    const { sound, usualMs } = await sounding(tests);
    if (sound.length === 0) continue;
    const killed = await vitest.killed(sound, mutant, LOOP_CPU_MS + LOOP_TIMES * usualMs);
    if (killed) return { ...mutant, ...killed, circle: circle + 1 };
  }
  return { ...mutant, state: 'survived' };
}

// ---- The program ----

/** Surviving mutants that change nothing a test could or should notice, each with the reason. */
const excused = JSON.parse(readFileSync(new URL('mutants-excused.json', import.meta.url), 'utf8'));
const reasonFor = ({ file, change }) =>
  excused.find((one) => one.file === file && one.change === change)?.reason;

function table(results) {
  const rows = AREAS.map((area) => [area, results.filter(({ file }) => areaOf(file) === area)]);
  for (const [area, own] of [...rows, ['all', results]].filter(([, own]) => own.length > 0)) {
    const alive = own.filter(({ state }) => state === 'survived');
    const known = alive.filter(({ reason }) => reason !== undefined);
    const killed = own.length - alive.length;
    const share = ((100 * killed) / (own.length - known.length)).toFixed(1);
    console.log(`${area.padEnd(20)} ${killed} of ${own.length} killed, ${known.length} excused: ${share} %`);
  }
}

const USAGE = `Usage: npm run mutants [-- --seed 1] [--count 300] [--only src/exchange] [--list] [--json]
Makes small mechanical changes to the source, one at a time, and checks whether a test notices.
  --list   only lists the changes
  --json   prints every result`;
const { values: given } = optionsOf(USAGE, { options });
const sources = readdirSync('src', { recursive: true })
  .map((path) => posix.join('src', path.replaceAll('\\', '/')))
  .filter((file) => file.startsWith(given.only) && AREAS.some((area) => file.startsWith(area)))
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .toSorted();
const chosen = drawn(sources.flatMap(mutantsOf), given.seed, Number(given.count));
const place = ({ file, line, operator, change }) => `${file}:${line} (${operator}) ${change}`;

if (given.list) for (const mutant of chosen) console.log(place(mutant));
else {
  const testsOf = circles();
  const vitest = await startVitest();
  const sounding = soundOf(vitest);
  const results = [];
  for (const mutant of chosen) {
    const result = await judged(mutant, testsOf, sounding, vitest);
    results.push({ ...result, reason: result.state === 'survived' ? reasonFor(mutant) : undefined });
    if (!given.json)
      console.log(`${result.state} ${place(mutant)}${result.killer ? ` [${result.killer}]` : ''}`);
  }
  if (given.json) console.log(JSON.stringify(results, null, 1));
  else {
    table(results);
    for (const { reason, ...mutant } of results.filter(({ state }) => state === 'survived'))
      console.log(`survived ${place(mutant)}${reason ? `: ${reason}` : ''}`);
  }
  await vitest.close();
  // A worker that was stopped may have left something open.
  process.exit(0);
}
