import type { Directory } from '../../src/directory/directory.ts';
import { loadDirectory } from '../../src/directory/load.ts';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/directory-labels.ts';
import { displayQuote } from '../../src/domain/vendor-quotation.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import { EDITED_FOLDER } from './everything.ts';

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

/** The table that an editor reads before approving the data: need, pick, grade, alternatives, the vendor's words. */
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

/** The command; returns its exit status. */
export function main(): number {
  const directory = loadDirectory(EDITED_FOLDER);
  for (const type of BUSINESS_TYPES) console.log(`${picksTable(directory, type, directory.lastChecked)}\n`);
  return 0;
}
