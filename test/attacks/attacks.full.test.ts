import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from './kind.ts';
import { attack, planned, tableOf } from './run.ts';

// `npm run test:full` runs this part; `npm run attacks` tries more.
const seed = Number(process.env.ATTACKS_SEED ?? 402);
const rounds = Number(process.env.ATTACKS_ROUNDS ?? 1);
const only = process.env.ATTACKS_ONLY ?? '';

describe(`under attack (seed ${seed})`, () => {
  let findings: readonly Finding[] = [];

  beforeAll(async () => {
    findings = await attack({
      seed,
      rounds,
      only,
      onFinding: ({ kind, violations }) =>
        process.stdout.write(`${violations.length === 0 ? 'held    ' : 'NOT HELD'} ${kind.name}\n`),
    });
    process.stdout.write(`${tableOf(findings)}\n`);
  }, 900_000 * rounds);

  it.each(planned(only).map(({ kind }) => [kind.promise, kind.name, kind] as const))(
    '%s (%s)',
    (_promise, _name, kind) => {
      const finding = findings.find((one) => one.kind === kind);
      expect(finding?.violations).toEqual([]);
      expect(finding?.tries).toBeGreaterThan(0);
    },
  );
});
