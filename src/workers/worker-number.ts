/** Which worker this process is; null for one that nobody started as such. */
export function workerNumber(): number | null {
  const number = /^--worker=(\d{1,3})$/.exec(process.argv[2] ?? '')?.[1];
  return process.connected && number !== undefined ? Number(number) : null;
}
