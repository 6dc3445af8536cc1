import { type Day, parseDay } from '../domain/calendar.ts';

/** The version of the HTTP API, and the day that its documents describe; raised together with a release. */
export const release = { version: '1.0.0', day: '2026-11-21' } as const;

export const releaseDay = parseDay(release.day) as Day;
