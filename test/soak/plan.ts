import { faults, kills } from './faults.ts';
import type { Random } from './random.ts';

/** A failure that happens just before the purchase with this index begins. */
export type Event = { readonly at: number; readonly name: string; readonly kind: 'fault' | 'kill' };
export type Size = {
  readonly purchases: number;
  readonly kills: number;
  readonly faults: number;
  readonly instances: number;
};

/** Faults of every kind in equal shares, and kills, spread over all purchases. */
export function planOf({ purchases, ...counts }: Size, random: Random): Event[] {
  const names = Object.keys(faults);
  const at = () => random.whole(1, Math.floor(purchases * 0.9));
  const events: Event[] = [];
  for (let count = 0; count < counts.faults; count += 1)
    events.push({ at: at(), name: names[count % names.length] as string, kind: 'fault' });
  for (let count = 0; count < counts.kills; count += 1)
    events.push({ at: at(), name: Object.keys(kills)[count % 3 === 2 ? 1 : 0] as string, kind: 'kill' });
  return events.sort((one, other) => one.at - other.at);
}
