import { COUNTRY_CODES } from '../../src/domain/regions.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import type { StackRequest } from '../../src/report/shelf.ts';
import { directory } from '../support/directory.ts';

/** The facts about the caller in a request. */
export type Asked = Partial<StackRequest>;

// Sanctions or state control leave hardly any tool in these countries, so some businesses get no report.
const CLOSED = ['CU', 'IR', 'KP', 'SY', 'TM'];
/** The countries in which every business has a report. */
export const OPEN = COUNTRY_CODES.filter((code) => !CLOSED.includes(code));

/** Reports of the served directory for a caller with these facts; each request may add others. */
export function asking(known: Asked = {}) {
  const plain: StackRequest = {
    businessType: 'service',
    needs: [],
    teamSize: null,
    freeOnly: false,
    country: null,
    generatedOn: directory.lastChecked,
  };
  const ask = (over: Asked) => stackReport({ ...plain, ...known, ...over }, directory);
  const reportOf = (over: Asked): StackReport => {
    const result = ask(over);
    if (!result.ok) throw new Error(result.reason);
    return result.report;
  };
  const pickFor = (need: string, over: Asked) =>
    reportOf({ needs: [need], ...over }).picks.find((pick) => pick.need === need);
  const missFor = (need: string, over: Asked) =>
    reportOf({ needs: [need], ...over }).unmet.find((miss) => miss.need === need);
  return {
    ask,
    reportOf,
    pickFor,
    missFor,
    /** The id of the tool that is picked. */
    toolFor: (need: string, over: Asked): string => pickFor(need, over)?.tool.id ?? 'unmet',
    caveatsFor: (need: string, over: Asked): string => pickFor(need, over)?.caveats.join(' ') ?? '',
    namesBeside: (need: string, over: Asked): readonly string[] =>
      (pickFor(need, over) ?? missFor(need, over))?.also_well_known?.map(({ name }) => name) ?? [],
  };
}
