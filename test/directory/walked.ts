import type { Directory } from '../../src/directory/directory.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import type { StackRequest } from '../../src/report/shelf.ts';
import { categories, directory, listingFiles as files } from '../support/directory.ts';

export const all = categories.categories.map(({ slug }) => slug);

/** The reports use the day of the latest check, whatever day a refresh has set. */
export const day = directory.lastChecked;

export const requests: StackRequest[] = BUSINESS_TYPES.flatMap((businessType) =>
  [null, 1, 4, 12, 25].flatMap((teamSize) =>
    [false, true].flatMap((freeOnly) =>
      [null, 'US', 'GB', 'DE', 'IN'].flatMap((country) =>
        [[], all].map((needs) => ({ businessType, needs, teamSize, freeOnly, country, generatedOn: day })),
      ),
    ),
  ),
);

export const reportOf = (request: StackRequest, from: Directory = directory): StackReport => {
  const result = stackReport(request, from);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};

export const reports = requests.map((request) => ({ request, report: reportOf(request) }));

const fileOf = (id: string): ListingFile => {
  const file = files.find((listing) => listing.id === id);
  if (file === undefined) throw new Error(id);
  return file;
};

/** Every pick of every report with its listing. */
export const picked = reports.flatMap(({ request, report }) =>
  report.picks.map((pick) => ({ request, report, pick, file: fileOf(pick.tool.id) })),
);
