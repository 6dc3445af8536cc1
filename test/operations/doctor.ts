import { readConfig } from '../../src/config/config.ts';
import { type ExamineOptions, examine, type Finding, lineOf } from '../../src/doctor/examine.ts';
import { type Day, parseDay } from '../../src/domain/calendar.ts';

/** A day on which the reference rates do not end soon. */
const TODAY = parseDay('2026-11-22') as Day;
/** The doctor's findings for an environment. */
export type Examined = {
  readonly findings: readonly Finding[];
  /** All lines as they are printed. */
  readonly text: string;
  /** The line of the only finding with this name. */
  line(what: string): string;
  readonly wrong: readonly string[];
  readonly warned: readonly string[];
};

export async function examined(
  env: Readonly<Record<string, string>>,
  options: ExamineOptions = {},
): Promise<Examined> {
  const reading = readConfig(env);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const findings: Finding[] = [];
  for await (const finding of examine(reading.config, { today: TODAY, ...options })) findings.push(finding);
  const named = (verdict: Finding['verdict']) =>
    findings.filter((finding) => finding.verdict === verdict).map(({ what }) => what);
  return {
    findings,
    text: findings.map(lineOf).join('\n'),
    line(what) {
      const found = findings.filter((finding) => finding.what === what);
      if (found.length !== 1 || found[0] === undefined)
        throw new Error(`${found.length} findings are called ${what}:\n${findings.map(lineOf).join('\n')}`);
      return lineOf(found[0]);
    },
    wrong: named('FAIL'),
    warned: named('warn'),
  };
}
