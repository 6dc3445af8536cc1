import type { Finding, Kind } from './kind.ts';
import { surroundingKinds } from './kinds/surroundings.ts';
import { walletKinds } from './kinds/wallets.ts';
import { type Ground, openScene, startAttackedChain } from './scene.ts';

/** Every kind of attack, in the order of the table. */
const groups: Readonly<Record<string, readonly Kind[]>> = {
  'contract wallets': walletKinds,
  surroundings: surroundingKinds,
};

export type Plan = {
  readonly seed: number;
  readonly rounds: number;
  /** Only kinds whose group or name contains this text. */
  readonly only?: string;
  readonly onFinding?: (finding: Finding) => void;
};

type Planned = { readonly group: string; readonly kind: Kind };

const AT_ONCE = 5;
const LONGEST_MS = 240_000;

export const planned = (only = ''): Planned[] =>
  Object.entries(groups).flatMap(([group, kinds]) =>
    kinds.filter(({ name }) => `${group} ${name}`.includes(only)).map((kind) => ({ group, kind })),
  );

/** Tries every kind of attack, several at once. */
export async function attack({ seed, rounds, only, onFinding }: Plan): Promise<Finding[]> {
  const chain = await startAttackedChain();
  const opening = openScene({ chain, house: null }, 'house', seed, 1);
  try {
    const ground: Ground = { chain, house: await opening.shop() };
    const all = planned(only);
    const findings = new Map<Planned, Finding>();
    const waiting = [...all];
    const run = async (one: Planned) => {
      const finding = await tried(one, ground, seed, rounds);
      findings.set(one, finding);
      onFinding?.(finding);
    };
    const worker = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await run(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return all.flatMap((one) => findings.get(one) ?? []);
  } finally {
    await opening.close();
    await chain.stop();
  }
}

async function tried(
  { group, kind }: Planned,
  ground: Ground,
  seed: number,
  rounds: number,
): Promise<Finding> {
  const startedMs = performance.now();
  const scene = openScene(ground, kind.name, seed, rounds);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no end within ${LONGEST_MS * rounds} ms`)),
      LONGEST_MS * rounds,
    );
  });
  try {
    await Promise.race([kind.run(scene), late]);
  } catch (error) {
    scene.told.violations.push(
      `it could not be tried to its end: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    clearTimeout(timer);
    await scene.close().catch((error) => scene.told.violations.push(`the books could not be read: ${error}`));
  }
  const { tries, violations } = scene.told;
  return { group, kind, tries, violations, durationMs: performance.now() - startedMs };
}

const MOST_TOLD = 3;

/** The table for people: kind, description, attempts, how many held, and what was observed if not. */
export function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ kind }) => kind.name.length));
  const lines: string[] = [];
  let last = '';
  for (const { group, kind, tries, violations, durationMs } of findings) {
    if (group !== last) lines.push('', group);
    last = group;
    const held = violations.length === 0 ? 'held' : 'NOT HELD';
    lines.push(
      `  ${kind.name.padEnd(width)} ${String(tries).padStart(6)} ${held.padEnd(8)} ${(durationMs / 1000).toFixed(1).padStart(5)} s  ${kind.promise}`,
    );
    for (const what of violations.slice(0, MOST_TOLD)) lines.push(`  ${' '.repeat(width)}        ! ${what}`);
    if (violations.length > MOST_TOLD)
      lines.push(`  ${' '.repeat(width)}        ! and ${violations.length - MOST_TOLD} more`);
  }
  const broken = findings.filter(({ violations }) => violations.length > 0).length;
  const tries = findings.reduce((sum, one) => sum + one.tries, 0);
  lines.push(
    '',
    `${findings.length} kinds, ${tries} tries, ${findings.length - broken} held, ${broken} not held`,
  );
  return lines.join('\n');
}
