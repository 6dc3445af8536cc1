import { existsSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { misses } from './measure.js';

const digits = (value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const shown = (value) => (value === null ? '' : digits(value));

const verdict = (row) => {
  if (row.target === null) return '';
  return misses(row) ? `MISSED ${row.target}` : `within ${row.target}`;
};

/** The rows as text, with ratios (ours over the peer's) and verdicts. @param {readonly import('./measure.js').Row[]} rows */
export function tableOf(rows) {
  const cells = [
    ['what', 'ours', 'peer', 'unit', 'ratio', 'target'],
    ...rows.map((row) => [
      row.name,
      shown(row.ours),
      shown(row.peer),
      row.unit,
      shown(row.ratio),
      verdict(row),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const isNumber = (column) => column === 1 || column === 2 || column === 4;
  const pad = (text, column) =>
    isNumber(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return cells.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

/** Prints the rows of a part if Node was started with its file. */
export async function runAlone(moduleUrl, bench) {
  if (!existsSync(process.argv[1] ?? '') || pathToFileURL(realpathSync(process.argv[1])).href !== moduleUrl)
    return;
  const rows = await bench();
  console.log(tableOf(rows));
  if (rows.some(misses)) process.exitCode = 1;
}
