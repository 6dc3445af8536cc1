import { expect, test } from 'vitest';
import { createExposition } from '../metrics/exposition.ts';
import { mergedMetrics } from './merged-metrics.ts';

test('metrics of several processes are one text: each family once, each series with its worker', () => {
  const textOf = (count: number) => {
    const exposition = createExposition();
    exposition.counter({ name: 'a_total', help: 'What is counted.' })({ end: 'a"}{,b # c' }).value += count;
    exposition
      .histogram({ name: 's', help: 'Time.', buckets: [0.5] })()
      .observe(count);
    exposition.gauge({ name: 'g', help: 'A reading.' }, () => count / 8);
    return exposition.text();
  };
  const own = '# HELP only Of one.\n# TYPE only gauge\nonly 7\n';
  expect(
    mergedMetrics([
      { worker: 0, text: own },
      { worker: 1, text: textOf(1) },
      { worker: 2, text: textOf(2) },
    ]),
  ).toBe(
    [
      '# HELP only Of one.',
      '# TYPE only gauge',
      'only{worker="0"} 7',
      '# HELP a_total What is counted.',
      '# TYPE a_total counter',
      'a_total{worker="1",end="a\\"}{,b # c"} 1',
      'a_total{worker="2",end="a\\"}{,b # c"} 2',
      '# HELP s Time.',
      '# TYPE s histogram',
      's_bucket{worker="1",le="0.5"} 0',
      's_bucket{worker="1",le="+Inf"} 1',
      's_sum{worker="1"} 1',
      's_count{worker="1"} 1',
      's_bucket{worker="2",le="0.5"} 0',
      's_bucket{worker="2",le="+Inf"} 1',
      's_sum{worker="2"} 2',
      's_count{worker="2"} 1',
      '# HELP g A reading.',
      '# TYPE g gauge',
      'g{worker="1"} 0.125',
      'g{worker="2"} 0.25',
      '',
    ].join('\n'),
  );
});
