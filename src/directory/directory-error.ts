import type { DataFault } from './faults.ts';

/** The data cannot be served; the message names every fault with its file and field. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly faults: readonly DataFault[];
  /** The latest day (YYYY-MM-DD) that the data speaks of, when all that is wrong is that it is to come. */
  readonly aheadOn: string | null;

  constructor(faults: readonly DataFault[]) {
    super(`The directory has ${faults.length} faults:\n${faults.map(faultText).join('\n')}`);
    this.faults = faults;
    const ahead = faults.flatMap(({ detail }) => AHEAD.exec(detail)?.[1] ?? []);
    this.aheadOn = ahead.length === faults.length ? (ahead.toSorted().at(-1) ?? null) : null;
  }
}

const AHEAD = /^(\d{4}-\d\d-\d\d) is in the future$/;

export const faultText = ({ file, field, detail }: DataFault) => `${file} ${field}: ${detail}`;
