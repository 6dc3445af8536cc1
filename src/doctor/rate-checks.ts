import { type Day, longDayText } from '../domain/calendar.ts';
import { areRatesEnding, RATES_HELD_UNTIL } from '../domain/statutory-rates.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Whether statutory interest can be worked out for debts of the near future. */
export function checkRates(today: Day): Finding {
  const what = 'Statutory reference rates';
  const held = `held until ${longDayText(RATES_HELD_UNTIL)}`;
  if (!areRatesEnding(today)) return ok(what, held);
  return warn(
    what,
    `${held} only`,
    'Take a newer release, or add the next half-year to src/domain/statutory-rates.ts; until then callers are told to send reference_rate',
  );
}
