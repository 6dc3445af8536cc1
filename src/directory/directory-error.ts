/** One fault in the data: the file, the field inside it ('/check/quote') and a sentence. */
export type DataFault = { readonly file: string; readonly field: string; readonly detail: string };

export const faultText = ({ file, field, detail }: DataFault) => `${file} ${field}: ${detail}`;

/** The data cannot be served. The message names every fault with its file and field. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly faults: readonly DataFault[];

  constructor(faults: readonly DataFault[]) {
    super(`The directory has ${faults.length} faults:\n${faults.map(faultText).join('\n')}`);
    this.faults = faults;
  }
}

/** The data mentions a day (YYYY-MM-DD) that is in the future by this machine's clock. */
export class AheadOfClock extends Error {
  override readonly name = 'AheadOfClock';
  readonly day: string;

  constructor(day: string) {
    super(`The directory speaks of ${day}, which is in the future`);
    this.day = day;
  }
}
