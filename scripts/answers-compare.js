// `npm run answers:compare [-- <commit>] [-- --full]`: builds the last release, or another commit, from the history. It
// sends that build and these sources the 25,000 requests of test/corpus in memory, and reports which answers differ and
// how. A difference is not an error: the reviewer of a change decides whether it is intended. The exit status is 1 only
// if the comparison failed.
import './node-version.js';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { remove } from './moving.js';
import { optionsOf } from './options.js';

const LAST_RELEASE = 'ed422df5a563f64f6f2ea279ee1406107c812e30';
const FULL_REPORT = 'build/artefacts/answers.txt';
const WAYS_SHOWN = 5;
const LINE_WIDTH = 200;

const git = (...words) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The full hash of a commit, or null if the history does not have it. */
function known(commit) {
  try {
    return git('rev-parse', '--verify', `${commit}^{commit}`).trim();
  } catch {
    return null;
  }
}

/** The sources of a commit with the packages that they name, in a separate folder. */
function checkedOut(commit, folder) {
  const archive = join(folder, '.sources.tar');
  git('archive', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const lock = 'package-lock.json';
  if (readFileSync(lock).equals(readFileSync(join(folder, lock))))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  else
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(join(folder, 'test/corpus/play.ts')))
    throw new Error(`${commit} has no test/corpus/play.ts, which is needed to get its answers`);
}

/** Builds files of `test/corpus` with the sources that they test, and loads them. */
async function built(root, files) {
  const out = join(root, 'build/answers');
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(files.map((file) => [file, join(root, `test/corpus/${file}.ts`)])),
    external: (id) => !/^(?:[./#]|[A-Za-z]:\\)/.test(id),
    plugins: [
      {
        // A module reads files next to its original location.
        name: 'own-address',
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : null,
      },
    ],
  });
  try {
    await bundle.write({ dir: out, format: 'esm', cleanDir: true });
    const modules = files.map((file) => import(pathToFileURL(join(out, `${file}.js`)).href));
    return Object.assign({}, ...(await Promise.all(modules)));
  } finally {
    await bundle.close();
    remove(out);
  }
}

/** The lines of two texts in one sequence: common lines, `- ` for the first only, `+ ` for the second only. */
function lineDiff(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i][j] =
        a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      lines.push(`  ${a[i]}`);
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) {
      lines.push(`- ${a[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${b[j]}`);
      j += 1;
    }
  }
  return lines;
}

/** The changed lines of a difference, with adjacent ones grouped. */
function hunksOf(lines) {
  const hunks = [[]];
  for (const line of lines)
    if (line.startsWith('  ')) hunks.push([]);
    else hunks.at(-1).push(line);
  return hunks.filter((hunk) => hunk.length > 0).map((hunk) => hunk.join('\n'));
}

const shortened = (text, indent) =>
  text
    .split('\n')
    .map((line) => `${indent}${line.length > LINE_WIDTH ? `${line.slice(0, LINE_WIDTH)}…` : line}`)
    .join('\n');

/** How the answers of one kind differ: the requests, and each difference with the number of answers that have it. */
async function compareKind(kind, before, after) {
  const ways = new Map();
  const differing = [];
  for (let batch = 0; batch < after.kinds[kind].batches; batch += 1)
    for (const [index, asked] of after.batchOf(kind, batch).entries()) {
      const [was, is] = await Promise.all([before.service.answer(asked), after.service.answer(asked)]);
      if (was === is) continue;
      const lines = lineDiff(after.readableAnswer(was), after.readableAnswer(is));
      const title = `=== ${kind}, ${batch * after.BATCH + index + 1}\n${after.readableRequest(asked)}`;
      differing.push(`${title}\n---\n${lines.join('\n')}\n`);
      for (const hunk of hunksOf(lines)) {
        const way = ways.get(hunk) ?? { hunk, title, answers: 0 };
        ways.set(hunk, { ...way, answers: way.answers + 1 });
      }
    }
  return { differing, ways: [...ways.values()].sort((one, other) => other.answers - one.answers) };
}

function report(kind, asked, { differing, ways }) {
  console.log(`${kind}: ${differing.length} of ${asked} answers differ`);
  for (const { hunk, title, answers } of ways.slice(0, WAYS_SHOWN)) {
    const [, request] = title.split('\n');
    console.log(`  in ${answers}, first ${shortened(request, '')}\n${shortened(hunk, '    ')}`);
  }
  if (ways.length > WAYS_SHOWN) console.log(`  and in ${ways.length - WAYS_SHOWN} other ways`);
}

async function compare(commit, isFull) {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  try {
    checkedOut(commit, folder);
    const before = await built(folder, ['play']);
    const after = await built(resolve('.'), ['play', 'requests', 'readable']);
    const asking = async (one) => ({ ...one, service: await one.player() });
    const [then, now] = [await asking(before), await asking(after)];
    const all = [];
    for (const [kind, { batches }] of Object.entries(now.kinds)) {
      const found = await compareKind(kind, then, now);
      report(kind, batches * now.BATCH, found);
      all.push(...found.differing);
    }
    console.log(`${all.length} answers differ from those of ${commit.slice(0, 10)}`);
    if (isFull) {
      mkdirSync('build/artefacts', { recursive: true });
      writeFileSync(FULL_REPORT, all.join('\n'));
      console.log(`All of them are in ${FULL_REPORT}`);
    }
  } finally {
    remove(folder);
  }
}

const USAGE = `Usage: npm run answers:compare [-- COMMIT] [--full]
Sends the same requests to the last release, or to another commit, and to these sources, and prints the answers that differ.
  --full   prints every difference`;
const { values, positionals } = optionsOf(USAGE, {
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
});
const wanted = positionals[0] ?? LAST_RELEASE;
const commit = known(wanted);
if (commit === null) {
  console.log(`There is nothing to compare with: this repository has no commit ${wanted}.`);
  process.exit(positionals.length > 0 ? 1 : 0);
}
await compare(commit, values.full);
process.exit(0);
