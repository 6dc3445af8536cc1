import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { misses } from './measure.js';
import { whereTimeGoes } from './profile.js';

const day = new Date().toISOString().slice(0, 10);
const file = new URL(`../docs/reports/${day}-performance.md`, import.meta.url);
const [major = ''] = process.versions.node.split('.');
const LEAST_SHARE = 0.02;

const HEAD = `# Performance

*A record of ${day}, on the machine named below. To measure again, run \`npm run bench -- --write\`, once with each version of Node.js.*

Each server runs in its own process, and the rounds alternate between the servers. Unless a row says otherwise, a figure is the median processor time of a request, as the server itself measures it. The spread is the distance between the lowest and the highest tenth of the rounds, as a share of the median. A ratio is our figure divided by the peer's in the same run. Do not compare microseconds from different runs.

- *A block for each*: the chain mines a block for each transaction. *A block every 2 s*: it mines one every two seconds.
- *N in flight*: the number of simultaneous purchases or requests. For purchases, the figure is the elapsed time divided by their number.
- *The peer at its best*: the peer's fastest figure for any number in flight.
- *From memory*: the peer validates the input and returns a stored answer.
`;

const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

function line(row) {
  const { name, ours, peer, ratio, target, unit, spread } = row;
  const verdict = target === null ? '' : `${misses(row) ? 'missed' : 'within'} ${target}`;
  const cells = [
    name,
    digits(ours),
    peer === null ? '' : digits(peer),
    unit,
    `${Math.round(spread * 100)} %`,
  ];
  return `| ${[...cells, ratio === null ? '' : ratio.toFixed(2), verdict].join(' | ')} |`;
}

/** Adds the rows to the day's report, in the section for the running version of Node.js. */
export async function writeReport(rows) {
  const [{ model = 'unknown' } = {}] = cpus();
  const shares = (await whereTimeGoes()).filter(([, share]) => share >= LEAST_SHARE);
  const section = [
    `## Node.js ${process.versions.node}`,
    '',
    `${cpus().length} processors: ${model.trim()}. Load average at the end, including this run: ${loadavg()[0]?.toFixed(1)}. If it is above the number of processors, programs competed for them, and only the ratios are meaningful.`,
    '',
    '| what | ours | peer | unit | spread | ratio | target |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(line),
    '',
    'Where the time of a late fee goes, including system calls:',
    '',
    '| place | share |',
    '|---|---|',
    ...shares.map(([place, share]) => `| ${place} | ${(share * 100).toFixed(0)} % |`),
    '',
  ].join('\n');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : HEAD;
  const sections = before.split(/^(?=## Node\.js )/m).slice(1);
  const others = sections
    .filter((one) => !one.startsWith(`## Node.js ${major}.`))
    .map((one) => one.trimEnd());
  const whole = [...others, section.trimEnd()].sort();
  writeFileSync(file, `${HEAD}\n${whole.join('\n\n')}\n`);
}
