/*
 * Days and times inside English sentences: "23 December 2026" has only one reading there, unlike "23.12.2026" or
 * "12/23/2026".
 */

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const spoken = (ms: number, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...parts, calendar: 'gregory', numberingSystem: 'latn' }).format(ms);

/** The day of a timestamp in the reader's time zone: "23 December 2026". */
export const spokenDay = (ms: number): string => spoken(ms, DAY);

/** The same day with the time: "23 December 2026, 19:52". */
export const spokenTime = (ms: number): string => `${spokenDay(ms)}, ${spoken(ms, TIME)}`;
