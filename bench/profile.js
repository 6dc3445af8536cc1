import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpClient } from './client.js';
import { lateFee } from './samples.js';
import { startOurs } from './servers.js';

const REQUESTS = 15_000;
const WARM_UP = 2_000;

/** The part that a function belongs to, by its file. */
function placeOf({ functionName, url }) {
  if (['(idle)', '(root)', '(program)'].includes(functionName)) return null;
  if (functionName === '(garbage collector)') return 'garbage collector';
  if (url === '') return 'system calls and built-in functions';
  if (url.startsWith('node:')) return 'Node.js';
  const of = /node_modules\/((?:@[^/]+\/)?[^/]+)|\/dist\/([^/]+)/.exec(url);
  return of?.[1] ?? `our ${of?.[2] ?? 'rest'}`;
}

/** The shares of a server's busy time with late fees, largest first. */
export async function whereTimeGoes() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const server = await startOurs({
    flags: ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`],
  });
  const client = httpClient();
  const url = `${server.origin}${lateFee.path}${lateFee.query}`;
  const times = [];
  for (let turn = 0; turn < WARM_UP + REQUESTS; turn += 1) {
    if (turn === WARM_UP) times.push(await server.uptimeMicroseconds());
    await client.call(url);
  }
  client.close();
  await server.end();
  try {
    const [file] = readdirSync(folder);
    return sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')), times[0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sharesOf({ nodes, samples, timeDeltas, startTime }, since) {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const spent = new Map();
  let at = startTime;
  samples.forEach((id, index) => {
    at += timeDeltas[index];
    const place = places.get(id);
    if (at - startTime < since || place === null) return;
    spent.set(place, (spent.get(place) ?? 0) + timeDeltas[index]);
  });
  const whole = [...spent.values()].reduce((sum, each) => sum + each, 0);
  return [...spent].map(([place, each]) => [place, each / whole]).sort(([, a], [, b]) => b - a);
}
