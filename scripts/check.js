// `npm run check`: lint and format, types, dead code; side by side, all findings printed.
import { spawn } from 'node:child_process';

const checks = [
  ['biome', ['check', '--error-on-warnings', '.']],
  ['tsc', ['-p', 'tsconfig.json']],
  ['tsc', ['-p', 'tsconfig.islands.json']],
  ['knip', ['--no-progress', '--treat-config-hints-as-errors']],
];

const run = ([command, args]) =>
  new Promise((resolve) => {
    const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => resolve({ command, code, output: Buffer.concat(output).toString() }));
  });

const results = await Promise.all(checks.map(run));
for (const { command, code, output } of results) {
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${command}`);
  if (code !== 0) console.log(output);
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);
