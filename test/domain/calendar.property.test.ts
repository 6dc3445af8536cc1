import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { addDays, dayText, LAST_DAY, longDayText, parseDay, utcDay } from '../../src/domain/calendar.ts';
import { days } from './arbitraries.ts';

const EPOCH = Temporal.PlainDate.from('1970-01-01');

it('every day from 1970 to 9999 is the same as in Temporal', () => {
  fc.assert(
    fc.property(days, (day) => {
      const date = EPOCH.add({ days: day });
      expect(dayText(day)).toBe(date.toString());
      expect(parseDay(date.toString())).toBe(day);
      expect(longDayText(day)).toBe(date.toLocaleString('en-GB', { dateStyle: 'long' }));
    }),
  );
});

it('the span between two days, and the sum of a day and a span, agree with Temporal', () => {
  fc.assert(
    fc.property(days, days, (from, to) => {
      const [start, end] = [from, to].map((day) => Temporal.PlainDate.from(dayText(day)));
      expect(start?.until(end as Temporal.PlainDate, { largestUnit: 'day' }).days).toBe(to - from);
      expect(addDays(from, to - from)).toBe(to);
    }),
  );
});

it('a text is read as a day only if Temporal reads the same digits as a day', () => {
  const twoDigits = fc.integer({ min: 0, max: 40 }).map((value) => String(value).padStart(2, '0'));
  const year = fc.integer({ min: 0, max: 9999 }).map((value) => String(value).padStart(4, '0'));
  const exists = (text: string) => {
    try {
      return Temporal.PlainDate.from(text).year >= 1970;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(year, twoDigits, twoDigits, (y, m, d) => {
      const text = `${y}-${m}-${d}`;
      expect(parseDay(text) !== null).toBe(exists(text));
    }),
  );
});

it('no text causes an exception when it is read as a day', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const day = parseDay(text);
      expect(day === null || dayText(day) === text).toBe(true);
    }),
  );
});

it('an instant is on the same day as in Temporal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_DAY * 86_400_000 }), (epochMs) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(epochMs);
      expect(dayText(utcDay(epochMs))).toBe(instant.toZonedDateTimeISO('UTC').toPlainDate().toString());
    }),
  );
});
