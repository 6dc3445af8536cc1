import { type Day, parseDay } from '../domain/calendar.ts';

/** The version of this release, as in `package.json`, and its day. */
export const release = { version: '2.0.0', day: '2026-11-27' } as const;

/** The version of the HTTP API. The specification sets it, so it stays the same across releases. */
export const API_VERSION = '1.0.0';

/** The day of every example in documents and on pages. It is fixed, so that the examples stay the same. */
export const exampleDay = parseDay('2026-11-21') as Day;
