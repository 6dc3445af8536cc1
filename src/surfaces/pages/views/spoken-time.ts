/*
 * Days and times inside sentences, which are English: "23 December 2026" beside them is read in one way only, and
 * "23.12.2026" or "12/23/2026" are not.
 */

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const spoken = (ms: number, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...parts, calendar: 'gregory', numberingSystem: 'latn' }).format(ms);

/** The day of a moment where its reader is: "23 December 2026". */
export const spokenDay = (ms: number): string => spoken(ms, DAY);

/** The same with the time: "23 December 2026, 19:52". */
export const spokenTime = (ms: number): string => `${spokenDay(ms)}, ${spoken(ms, TIME)}`;
