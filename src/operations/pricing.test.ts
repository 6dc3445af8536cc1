import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Operation, operation, usd } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import { pricing } from './pricing.ts';

const tool = (name: string, more: Partial<Operation>): Operation =>
  operation({
    name,
    operationId: name,
    title: `Title of ${name}`,
    summary: name,
    description: name,
    route: null,
    price: null,
    input: {},
    output: z.object({}),
    example: {},
    run: () => ({ kind: 'answer', body: {} }),
    ...more,
  }) as Operation;

const operations = [
  tool('letter', { price: usd('0.05'), route: { method: 'POST', path: '/v1/letter' } }),
  tool('sum', { route: { method: 'GET', path: '/v1/sum' } }),
  tool('page', { tool: false }),
];

const list = pricing({
  operations,
  terms: {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: '0x00000000000000000000000000000000000000aa',
  },
  freeRequestsPerMinute: 30,
  baseUrl: 'https://calc.example',
});

const today = 0 as Day;

it('pricing lists each paid tool with its HTTP route and its price in dollars and atomic units', () => {
  const answer = list.run({}, { today });
  expect(answer).toMatchObject({
    kind: 'answer',
    body: {
      network: 'eip155:8453',
      asset: { symbol: 'USDC', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
      recipient: '0x00000000000000000000000000000000000000aa',
      paid: [
        {
          tool: 'letter',
          title: 'Title of letter',
          price_usd: '0.05',
          amount_atomic: '50000',
          pay_page: null,
          http: { method: 'POST', url: 'https://calc.example/v1/letter' },
        },
      ],
      free_limit: { requests_per_minute: 30, per: 'ip_address' },
    },
  });
});

it('pricing lists free tools, but no operation that is not a tool', () => {
  const answer = list.run({}, { today });
  expect(answer.kind === 'answer' && answer.body).toMatchObject({
    free: [{ tool: 'sum', http: { method: 'GET', url: 'https://calc.example/v1/sum' } }],
  });
});

it('pricing is itself a free operation without an HTTP route', () => {
  expect([list.name, list.price, list.route]).toEqual(['pricing', null, null]);
});
