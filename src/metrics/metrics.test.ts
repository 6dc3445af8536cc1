import { describe, expect, it } from 'vitest';
import { usd } from '../catalog/operation.ts';
import { createMetrics } from './metrics.ts';

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
