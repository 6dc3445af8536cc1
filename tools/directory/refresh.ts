import { DirectoryError } from '../../src/directory/directory-error.ts';
import { EDITED_FOLDER } from './everything.ts';
import { publicNetwork } from './refresh-address.ts';
import { type Refreshed, refresh, UnknownIds } from './refresh-run.ts';

const USAGE = `npm run directory:refresh -- [id...]                       looks at the live source of these listings or leads (none: all listings, those on a shelf first)
npm run directory:refresh -- --changed-since=2026-11-01    only listings changed on that day or later
npm run directory:refresh -- --leads                       prints sentences that could be quoted from the pages of all leads`;

const SINCE = /^--changed-since=(\d{4}-\d{2}-\d{2})$/;

const EXIT = { allFound: 0, someNot: 1, usage: 2 } as const;

/** `[=====     ] 110/219 clockify`, drawn over itself on a terminal. */
export function bar(done: number, total: number, id: string): string {
  const filled = total === 0 ? 20 : Math.round((20 * done) / total);
  return `[${'='.repeat(filled)}${' '.repeat(20 - filled)}] ${done}/${total} ${id}`.trimEnd();
}

/** The table after a run: everything that was not found, with the reason, then the totals. */
export function summary({ rows, leads, doneBefore }: Refreshed): string[] {
  const lines = rows.flatMap(({ id, verdict }) => {
    if (verdict.kind === 'found') return [];
    const line = `${verdict.kind.padEnd(8)} ${id.padEnd(32)} ${verdict.reason}`;
    const nearest = verdict.kind === 'failed' ? verdict.nearest : null;
    return nearest === null ? [line] : [line, `${' '.repeat(9)}nearest: ${nearest}`];
  });
  for (const { id, sentences, note } of leads) {
    lines.push(`lead     ${id.padEnd(32)} ${note}`.trimEnd());
    for (const sentence of sentences) lines.push(`${' '.repeat(9)}${sentence}`);
  }
  const count = (kind: string) => rows.filter(({ verdict }) => verdict.kind === kind).length;
  const sums = [`${count('found')} found`, `${count('failed')} failed`, `${count('unknown')} not reached`];
  if (doneBefore > 0) sums.push(`${doneBefore} done earlier today`);
  if (leads.length > 0) sums.push(`${leads.length} ${leads.length === 1 ? 'lead' : 'leads'} read`);
  return [...lines, `${sums.join(', ')}.`];
}

/** The command, with public addresses only; returns its exit status. */
export async function main(args: readonly string[]): Promise<number> {
  const ids = args.filter((argument) => !argument.startsWith('-'));
  const flags = args.filter((argument) => argument.startsWith('-'));
  if (flags.some((flag) => flag !== '--leads' && !SINCE.test(flag))) {
    console.error(USAGE);
    return EXIT.usage;
  }
  try {
    return await refreshed(ids, flags);
  } catch (error) {
    if (!(error instanceof DirectoryError || error instanceof UnknownIds)) throw error;
    console.error(error.message);
    return EXIT.usage;
  }
}

async function refreshed(ids: readonly string[], flags: readonly string[]): Promise<number> {
  const isTerminal = process.stderr.isTTY;
  const result = await refresh({
    folder: EDITED_FOLDER,
    ids,
    allLeads: flags.includes('--leads'),
    changedSince: flags.flatMap((flag) => SINCE.exec(flag)?.[1] ?? [])[0] ?? null,
    today: new Date().toISOString().slice(0, 10),
    network: publicNetwork,
    limits: { deadlineMs: 30_000, maxBytes: 4_000_000 },
    pauseMs: { anyHost: 1_000, sameHost: 5_000 },
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    contact: process.env.CONTACT_EMAIL ?? null,
    onProgress: (done, total, id) => {
      if (isTerminal) process.stderr.write(`\r\u001b[K${bar(done, total, id)}${done === total ? '\n' : ''}`);
    },
  });
  for (const line of summary(result)) console.log(line);
  return result.rows.every(({ verdict }) => verdict.kind === 'found') ? EXIT.allFound : EXIT.someNot;
}
