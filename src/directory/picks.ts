import { displayQuote } from '../domain/quote-text.ts';
import { stackReport } from '../domain/stack-report.ts';
import { BUSINESS_TYPES, type BusinessType, type StackReport } from '../domain/stack-report-types.ts';
import { isCommand } from './command.ts';
import { editedFolder } from './data.ts';
import type { Directory } from './directory.ts';
import { loadDirectory } from './load.ts';

const TEAM_SIZES = [1, 5, 25];

const lines = (report: StackReport): string[] => [
  ...report.picks.map(({ need, tool, alternatives, vendor_quote }) =>
    [
      `  ${need.padEnd(26)}${tool.name}`.padEnd(58),
      vendor_quote.proof.padEnd(7),
      alternatives
        .map(({ name }) => name)
        .join(', ')
        .padEnd(52),
      displayQuote(vendor_quote.text).slice(0, 70),
    ].join(' '),
  ),
  ...report.unmet.map(({ need, reason }) => `  ${need.padEnd(26)}UNMET ${reason}`),
  ...report.caveats.filter((caveat) => /^Lock-in/.test(caveat)).map((caveat) => `  ! ${caveat}`),
];

/** The table an editor reads before signing the data: need, pick, grade, alternatives, the vendor's words. */
export function picksTable(directory: Directory, businessType: BusinessType, today: string): string {
  const blocks = TEAM_SIZES.flatMap((teamSize) =>
    [false, true].map((freeOnly) => {
      const request = { businessType, needs: [], teamSize, freeOnly, country: null, generatedOn: today };
      const result = stackReport(request, directory);
      const head = `${businessType}, team of ${teamSize}${freeOnly ? ', free only' : ''}`;
      return [head, ...(result.ok ? lines(result.report) : [`  ${result.reason}`])].join('\n');
    }),
  );
  return blocks.join('\n\n');
}

if (isCommand(import.meta.url)) {
  const directory = loadDirectory(editedFolder());
  for (const type of BUSINESS_TYPES) console.log(`${picksTable(directory, type, directory.lastChecked)}\n`);
}
