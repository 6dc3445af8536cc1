import { expect, test } from 'vitest';
import { createExposition } from './exposition.ts';

test('counters start at 0, and labels are escaped', () => {
  const exposition = createExposition();
  const count = exposition.counter('a_total', 'What is counted.', [{ end: 'served' }, { end: 'a"b\\c\nd' }]);
  count({ end: 'served' }, 2);
  count({ end: 'never declared' });
  expect(exposition.text()).toBe(
    '# HELP a_total What is counted.\n# TYPE a_total counter\na_total{end="served"} 2\na_total{end="a\\"b\\\\c\\nd"} 0\n',
  );
});

test('a histogram counts each value in every bucket that includes it', () => {
  const exposition = createExposition();
  const observe = exposition.histogram('s', 'Time.', [0.5, 1], [{ settler: 'local' }]);
  for (const value of [0.5, 0.7, 9]) observe(value, { settler: 'local' });
  expect(exposition.text()).toBe(
    [
      '# HELP s Time.',
      '# TYPE s histogram',
      's_bucket{settler="local",le="0.5"} 1',
      's_bucket{settler="local",le="1"} 2',
      's_bucket{settler="local",le="+Inf"} 3',
      's_sum{settler="local"} 10.2',
      's_count{settler="local"} 3',
      '',
    ].join('\n'),
  );
});

test('a gauge is read at each scrape, and values that are not numbers or not yet known are left out', () => {
  const exposition = createExposition();
  let readings: { labels?: Record<string, string>; value: number }[] = [];
  exposition.gauge('g', 'A reading.', () => readings);
  expect(exposition.text()).toBe('');
  readings = [{ value: 1.5 }, { value: Number.NaN }];
  expect(exposition.text()).toBe('# HELP g A reading.\n# TYPE g gauge\ng 1.5\n');
});
