// `npm run check`: lint and format, imports, clocks in tests, types and dead code, in parallel, with all findings
// printed. `npm run fix` (--fix) formats.
import './node-version.js';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf } from './options.js';
import { fetchTool } from './tool.js';

const USAGE = `Usage: npm run check, or npm run fix
Lint, format, imports, clocks in tests, types and dead code. npm run fix formats.`;
const isFixing = optionsOf(USAGE, { options: { fix: { type: 'boolean' } } }).values.fix === true;

/** Tools whose packages the checked sources name, and the checkers themselves. */
const fetched = () => {
  try {
    if (!isFixing) for (const name of ['browser', 'mcp-clients', 'x402']) fetchTool(name);
    return join(fetchTool('lint'), 'node_modules');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
};

const lint = fetched();
const CLIENT_TYPES = 'packages/client/src/operations.ts';
const changedMs = (file) => statSync(file).mtimeMs;
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));

/** A fresh clone has no client types yet, and after a pull they may belong to an older catalog. */
const areClientTypesStale = () =>
  !existsSync(CLIENT_TYPES) ||
  [
    'scripts/client-types.js',
    'src/domain/networks.ts',
    ...['src/catalog', 'src/operations'].flatMap(filesIn),
  ].some((file) => changedMs(file) > changedMs(CLIENT_TYPES));

if (!isFixing && areClientTypesStale())
  for (const args of [['scripts/build.js', '--if-stale'], ['scripts/client-types.js']])
    if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
const biome = join(lint, '@biomejs/biome/bin/biome');
const tsc = 'node_modules/typescript/bin/tsc';
const checks = isFixing
  ? [['biome', biome, ['check', '--write', '.']]]
  : [
      ['biome', biome, ['check', '--error-on-warnings', '.']],
      ['imports', 'scripts/imports.js', []],
      ['clocks', 'scripts/clocks.js', []],
      ['types', tsc, ['-p', 'tsconfig.json']],
      ['types of islands', tsc, ['-p', 'tsconfig.islands.json']],
      ['types of the client', tsc, ['-p', 'packages/client/tsconfig.json', '--noEmit']],
      ['knip', join(lint, 'knip/bin/knip.js'), ['--no-progress', '--treat-config-hints-as-errors']],
    ];

/** The output of a check is printed when it ends, so that an interrupted run shows which checks have ended. */
const run = ([name, file, args]) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
      if (code !== 0) console.log(Buffer.concat(output).toString());
      resolve(code);
    });
  });

const codes = await Promise.all(checks.map(run));
process.exit(codes.every((code) => code === 0) ? 0 : 1);
