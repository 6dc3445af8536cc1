import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

/** A feature that a test needs and some systems lack. */
export type Fact = {
  readonly areMissing: boolean;
  /** The name of a test that needs it, with the reason for the skip if it is missing. */
  named(title: string): string;
};

const fact = (isThere: boolean, reason: string): Fact => ({
  areMissing: !isThere,
  named: (title) => (isThere ? title : `${title} (skipped: ${reason})`),
});

/** Signals that a program receives before it ends, including those to a group of processes. */
export const signals = fact(
  process.platform !== 'win32',
  'Windows ends a process at once, whatever the signal',
);

/** Text files that run as programs. */
export const scripts = fact(process.platform !== 'win32', 'Windows runs no text file as a program');

/** Files with restricted access. */
export const fileModes = fact(process.platform !== 'win32', 'Windows does not store file modes');

/** The resources and child processes of a process, which /proc shows as files. */
export const procFiles = fact(existsSync('/proc/self/stat'), 'only Linux tells in /proc what a process uses');

const canListen = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(0, address, () => server.close(() => resolve(true)));
  });

/** Addresses of 127.0.0.0/8, so that there can be several callers at once. */
export const callers = fact(
  await canListen('127.0.0.2'),
  'of the loopback network this system has 127.0.0.1 alone',
);
