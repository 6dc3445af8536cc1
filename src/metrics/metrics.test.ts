import { describe, expect, it, test } from 'vitest';
import { usd } from '../catalog/operation.ts';
import { createExposition, createMetrics } from './metrics.ts';

const operations = [
  { name: 'quote_pack', price: usd('0.05') },
  { name: 'quote_totals', price: null },
];

describe('the metrics', () => {
  const metricsWith = (hasRedis: boolean) =>
    createMetrics({
      operations,
      settlers: ['local'],
      nodeCount: 1,
      hasRedis,
      checkedOn: '2026-11-01',
      now: Date.now,
    });

  it('add up revenue exactly to the cent, regardless of the number of sales', () => {
    const metrics = metricsWith(false);
    for (let sale = 0; sale < 1_003; sale += 1) metrics.sold('quote_pack', '50000');
    expect(metrics.text()).toContain('calc_sold_usd_total{product="quote_pack"} 50.15\n');
    metrics.stop();
  });

  it('show how long calls took, by operation', () => {
    const metrics = metricsWith(false);
    metrics.called('quote_totals', 'served', 7);
    metrics.called('quote_totals', 'served', 70);
    const text = metrics.text();
    expect(text).toContain('calc_call_seconds_bucket{operation="quote_totals",le="0.01"} 1\n');
    expect(text).toContain('calc_call_seconds_bucket{operation="quote_totals",le="0.1"} 2\n');
    expect(text).toContain('calc_call_seconds_count{operation="quote_pack"} 0\n');
    metrics.stop();
  });

  it('show how long Redis took, if it is used, and whether it is connected', () => {
    const metrics = metricsWith(true);
    metrics.redisAnswered(3);
    let redis: 'ok' | 'down' = 'ok';
    metrics.watch({
      health: () => ({ status: 'ok', payments: 'ok', reasons: [] }),
      openRequests: () => 0,
      connections: () => 2,
      purchasesUnderWay: () => 0,
      claims: () => 0,
      lostLogLines: () => 5,
      redis: () => redis,
      nodesInUse: () => [],
    });
    expect(metrics.text()).toContain('calc_redis_seconds_bucket{le="0.005"} 1\n');
    expect(metrics.text()).toContain('calc_redis_up 1\n');
    redis = 'down';
    const text = metrics.text();
    expect(text).toContain('calc_redis_up 0\n');
    expect(text).toContain('calc_connections 2\n');
    expect(text).toContain('calc_log_lines_lost_total 5\n');
    metrics.stop();
  });
});

test('counters start at 0, and labels are escaped', () => {
  const exposition = createExposition();
  const count = exposition.counter('a_total', 'What is counted.', [{ end: 'served' }, { end: 'a"b\\c\nd' }]);
  count({ end: 'served' });
  count({ end: 'served' });
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
