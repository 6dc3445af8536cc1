import { readFileSync } from 'node:fs';
import { buildDirectory } from '../dist/directory/directory.js';
import { utcDay } from '../dist/domain/calendar.js';
import { validate } from '../dist/exchange/validate.js';
import stackReport from '../dist/operations/stack-report.js';
import tools from '../dist/operations/tools.js';
import { cpuEach } from './load.js';
import { inTurns, microsecondsEach, row } from './measure.js';
import { quote, quoteBody } from './samples.js';
import { startOurs, startPeer } from './servers.js';
import { runAlone } from './table.js';

/** Multiples of the real directory. */
const TIMES = [1, 10, 100];
/** How much longer a report may take with ten times as many listings. */
const TARGET = 15;
const today = utcDay(Date.UTC(2026, 10, 21));

/** Quotes of 1, 20 and 100 lines, against the same figures by Hono, Zod and big.js. */
async function quoteRows() {
  const servers = { ours: await startOurs(), peer: await startPeer('working') };
  try {
    const rows = [];
    for (const lines of [1, 20, 100]) {
      const items = Array.from(
        { length: lines },
        (_, index) => quoteBody.items[index % quoteBody.items.length],
      );
      const request = {
        status: 200,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...quoteBody, items }),
      };
      const subjects = {
        ours: { server: servers.ours, path: quote.path },
        peer: { server: servers.peer, path: quote.path },
      };
      const cpu = await cpuEach(subjects, request, { rounds: 5, batch: 200 });
      rows.push(row({ name: `quote of ${lines} lines: CPU (Hono + Zod + big.js)`, unit: 'us', ...cpu }));
    }
    return rows;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** A multiple of the directory: each listing is repeated under other ids, also on its shelves. */
function grown(times) {
  const file = new URL('../dist/directory/checked.json', import.meta.url);
  const { listings, categories, shelves } = JSON.parse(readFileSync(file, 'utf8'));
  const copies = Array.from({ length: times }, (_, index) => (index === 0 ? '' : `-${index}`));
  const named = (one) => copies.map((copy) => ({ ...one, id: `${one.id}${copy}` }));
  const needs = Object.entries(shelves.needs).map(([slug, need]) => [
    slug,
    { ...need, shelf: need.shelf.flatMap((entry) => ('id' in entry ? named(entry) : [entry])) },
  ]);
  return buildDirectory(listings.flatMap(named), categories, {
    ...shelves,
    needs: Object.fromEntries(needs),
  });
}

function calling(operation, values) {
  const run = () => {
    const { input } = validate(operation, { values, faults: [] }, { today });
    return operation.run(input, { today });
  };
  if (run().kind !== 'answer') throw new Error(`The sample of ${operation.name} has no answer`);
  return run;
}

/**
 * A search and a report, calculated in turn from the directory at its real size, ten times and a hundred times as
 * large.
 */
async function directoryRows() {
  const turns = {};
  for (const times of TIMES) {
    const directory = grown(times);
    const searched = calling(tools(directory), { category: 'invoicing', country: 'GB' });
    const report = calling(stackReport(directory), {
      business_type: 'trades',
      needs: 'invoicing,crm,scheduling',
    });
    turns[`search ${times}`] = () => microsecondsEach(20, searched);
    turns[`report ${times}`] = () => microsecondsEach(20, report);
  }
  const figures = await inTurns(turns, { rounds: 9, warmUp: 15 });
  return [
    ...TIMES.map((times) =>
      row({ name: `directory x${times}: a search`, unit: 'us', ours: figures[`search ${times}`] }),
    ),
    row({ name: 'directory x1: a report', unit: 'us', ours: figures['report 1'] }),
    row({
      name: 'directory x100 (ours) and x10 (peer): a report',
      unit: 'us',
      ours: figures['report 100'],
      peer: figures['report 10'],
      target: TARGET,
    }),
  ];
}

/** How the work grows with the request and with the directory. */
export async function benchGrowth() {
  return [...(await quoteRows()), ...(await directoryRows())];
}

await runAlone(import.meta.url, benchGrowth);
