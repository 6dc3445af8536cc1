import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../test/support/app.ts';
import { factsIn } from '../../../../test/support/facts.ts';
import { type Day, parseDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import type { Picture } from '../content.ts';
import { amountText } from './format.ts';
import { feePicture, optionsPicture } from './pictures.ts';

const context = { today: parseDay('2026-11-21') as Day };

function answer(wanted: string, values?: Record<string, unknown>): never {
  const operation = catalog.find(({ name }) => name === wanted);
  if (operation === undefined) throw new Error(`There is no ${wanted}`);
  const validated = validate(operation, { values: values ?? operation.example, faults: [] }, context);
  const ended = validated.ok ? operation.run(validated.input, context) : null;
  if (ended?.kind !== 'answer') throw new Error(`${wanted} has no answer`);
  return ended.body as never;
}
const only = (blocks: readonly unknown[]): Picture => (blocks[0] as { picture: Picture }).picture;
const points = (path: string) =>
  [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
const curve = (picture: Picture) =>
  points((picture.shapes.find((shape) => shape.class === 'curve') as { path: string }).path);
/** The heights of a line between two positions, including segments that only begin or end there. */
const heightsIn = (line: readonly number[][], from: number, to: number): readonly number[] =>
  line.slice(1).flatMap(([x2 = 0, y2 = 0], index) => {
    const [x1 = 0, y1 = 0] = line[index] ?? [];
    const at = (x: number): number => (x2 === x1 ? y2 : y1 + ((x - x1) / (x2 - x1)) * (y2 - y1));
    return x2 < from || x1 > to ? [] : [at(Math.max(x1, from)), at(Math.min(x2, to))];
  });
const fee = (values: Record<string, unknown>) =>
  feePicture(answer('late_fee', { amount: 1250, due_date: '2026-11-01', ...values }));

describe('the picture of a fee', () => {
  it('grows from the due day to the day of the calculation', () => {
    const picture = only(fee({ currency: 'GBP' }));
    const line = curve(picture);
    expect(line[0]).toEqual([14, 96]);
    const heights = line.map(([, y]) => y);
    expect(heights).toEqual([...heights].sort((a, b) => Number(b) - Number(a)));
    expect(factsIn(picture.description)).toEqual([
      '1 November 2026',
      amountText(12.5, 'GBP'),
      '21 November 2026',
      '£0.625',
    ]);
    expect(picture.shapes).toContainEqual(
      expect.objectContaining({ text: `today: +${amountText(12.5, 'GBP')}` }),
    );
  });

  it('is flat during grace, jumps to the minimum fee, and is flat again at the maximum', () => {
    const line = curve(only(fee({ grace_days: 10, min_fee: 5, max_fee: 6 })));
    const heights = [...new Set(line.map(([, y]) => y))];
    expect(line.filter(([, y]) => y === 96).length).toBeGreaterThanOrEqual(10);
    expect(heights.at(-1)).toBe(30);
    expect(heights[1]).toBeCloseTo(96 - (5 / 6) * 66, 0);
  });

  it('shows only a day for an invoice in grace, and nothing for one that is not overdue', () => {
    const picture = only(fee({ grace_days: 40 }));
    expect(new Set(curve(picture).map(([, y]) => y))).toEqual(new Set([96]));
    expect(fee({ due_date: '2026-12-01' })).toEqual([]);
  });

  it.each(['GBP', 'MXN', 'VND'])('has a label that no line crosses, in %s', (currency) => {
    for (let late = 1; late <= 60; late += 1)
      for (const amount of [50, 125_001, 999_999_999])
        for (const terms of [{}, { grace_days: 3, min_fee: 40 }, { max_fee: 60 }, { grace_days: 90 }]) {
          const due = new Date(Date.UTC(2026, 10, 21 - late)).toISOString().slice(0, 10);
          const { shapes } = only(fee({ amount, due_date: due, currency, ...terms }));
          const label = shapes.find((shape) => shape.class === 'label') as {
            text: string;
            at: readonly number[];
          };
          const [x = 0, y = 0] = label.at;
          const width = label.text.length * 7.5;
          const [from, to] = 'anchor' in label ? [x - width, x] : [x, x + width];
          const lines = shapes.flatMap((shape) =>
            shape.class.startsWith('curve') && 'path' in shape ? [points(shape.path)] : [],
          );
          const highest = Math.min(...lines.flatMap((line) => heightsIn(line, from, to)));
          expect([y <= highest - 4, y >= 14], `${late} days, ${label.text}`).toEqual([true, true]);
        }
  });

  it('contains only finite numbers', () => {
    for (const values of [
      { rate: 0 },
      { rate: 0, min_fee: 0 },
      { rate_type: 'flat', rate: 40 },
      { due_date: '1970-01-01' },
    ])
      expect(JSON.stringify(fee(values))).not.toMatch(/NaN|Infinity|null/);
  });
});

it('the options of a pack are side by side, with the recommended one marked', () => {
  const picture = only(optionsPicture(answer('quote_pack')));
  expect(picture.shapes.filter((shape) => 'box' in shape).map((shape) => shape.class)).toEqual([
    'pale',
    'filled',
    'pale',
  ]);
  expect(picture.description).toMatch(/\bEssential .*; .* Enhanced\.$/);
});
