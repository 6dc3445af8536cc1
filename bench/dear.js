import { httpClient } from './client.js';
import { kinds } from './dear-requests.js';
import { inTurns, row } from './measure.js';
import { lateFee } from './samples.js';
import { startOurs } from './servers.js';
import { runAlone } from './table.js';

const isForm = ({ path }) => path.startsWith('/quote');
const hasBody = ({ body }) => body !== undefined;

/** The groups of the table in docs/limits.md, each with the number of late fees that one of its requests may cost. */
const GROUPS = [
  { name: 'without a body', target: 20, is: (kind) => !hasBody(kind) && !isForm(kind) },
  { name: 'a page with a form', target: 60, is: (kind) => !hasBody(kind) && isForm(kind) },
  { name: 'a body of JSON', target: 60, is: (kind) => hasBody(kind) && !isForm(kind) },
  { name: 'a form', target: 80, is: (kind) => hasBody(kind) && isForm(kind) },
];

/** The most expensive known requests of strangers, against a late fee of the same server. */
export async function benchDear({ rounds = 5 } = {}) {
  const server = await startOurs();
  const client = httpClient();
  const cpuEach = async ({ path, ...options }, times) => {
    const before = await server.cpuMicroseconds();
    for (let turn = 0; turn < times; turn += 1) {
      const { status } = await client.call(`${server.origin}${path}`, options);
      if (status >= 500) throw new Error(`${path.slice(0, 100)} answered ${status}`);
    }
    return ((await server.cpuMicroseconds()) - before) / times;
  };
  const fee = { path: `${lateFee.path}${lateFee.query}` };
  const measured = async ({ name, target }, kind) => {
    const turns = { ours: () => cpuEach(kind, 10), peer: () => cpuEach(fee, 50) };
    const figures = await inTurns(turns, { rounds, warmUp: 1 });
    return {
      kind,
      ...row({ name: `most expensive request, ${name}: CPU (late fee)`, unit: 'us', target, ...figures }),
    };
  };
  try {
    await cpuEach(fee, 2_000);
    const rows = [];
    for (const group of GROUPS) {
      const all = [];
      for (const kind of kinds.filter(group.is)) all.push(await measured(group, kind));
      const { kind, ...mostExpensive } = all.reduce((one, other) => (other.ratio > one.ratio ? other : one));
      console.error(`  ${group.name}: ${kind.name}`);
      rows.push(mostExpensive);
    }
    return rows;
  } finally {
    client.close();
    await server.stop();
  }
}

await runAlone(import.meta.url, benchDear);
