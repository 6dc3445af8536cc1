import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { fetchTool } from '../../scripts/tool.js';
import { methodsOf } from '../../src/catalog/operation.ts';
import { release } from '../../src/platform/release.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { proves } from '../spec/clauses.ts';
import { testApp } from '../support/app.ts';
import { buyExample, callExample, followed, httpOperations, paidOperations } from './support.ts';

const redocly = join(fetchTool('openapi'), 'node_modules/@redocly/cli/bin/cli.js');
const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));

/** The limit is half the size that the document had when each operation and method repeated its parts. */
const MOST_BYTES = 98_500;

type Answered = { content: Record<string, { schema: unknown; example?: unknown; examples?: object }> };
type Described = {
  description: string;
  security: unknown;
  responses: Record<string, Answered & { description: string }>;
  'x-payment-info'?: unknown;
};
type OpenApi = {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: unknown;
  paths: Record<string, Record<string, Described>>;
};

const app = testApp({
  end: ({ payment }) => ({
    state: 'settled',
    transaction: `0x${'ab'.repeat(32)}`,
    payer: payment.authorization.from,
  }),
});
const read = async () => (await (await app.get('/openapi.json')).json()) as OpenApi;
const written = await read();
const document: OpenApi = followed(written, written);
const described = ({ route }: (typeof httpOperations)[number]): Described => {
  const found = document.paths[route?.path ?? '']?.[route?.method.toLowerCase() ?? ''];
  if (found === undefined) throw new Error(`${route?.path} is not described`);
  return found;
};

/** The strict linter's findings. */
function findings(value: unknown): { ruleId: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(value));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [redocly, 'lint', file, '--config', config, '--format', 'json'],
      {
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const start = stdout.indexOf('{');
    if (start < 0) throw new Error(`the linter said no JSON: ${stdout}${stderr}`);
    return (JSON.parse(stdout.slice(start)) as { problems: { ruleId: string }[] }).problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the OpenAPI document', () => {
  it(proves('9-openapi', 'is OpenAPI 3.1.0 and describes version 1.0.0 of the API'), () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.0.0');
    expect(release.version).toBe(packageJson.version);
    expect(document.servers).toEqual([{ url: 'https://calc.example' }]);
  });

  it('passes the strict rules of the linter', () => {
    expect(findings(written)).toEqual([]);
  });

  it('describes every operation of the catalog and nothing else', () => {
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes).toEqual(
      httpOperations.flatMap(({ route }) =>
        route === null ? [] : methodsOf(route).map((method) => `${method} ${route.path}`),
      ),
    );
  });

  it('has descriptions that tools can write into YAML unchanged', () => {
    for (const text of [document.info.summary, document.info.description])
      expect(text).toMatch(/^[A-Z](?:(?!: | #)[^\n])+$/);
  });

  it('has guidance of at most 4,000 characters that names every route', () => {
    const guidance = document.info['x-guidance'] as string;
    expect(guidance.length).toBeLessThanOrEqual(4000);
    for (const { route } of httpOperations) expect(guidance).toContain(`${route?.method} ${route?.path}`);
  });
});

describe.each(httpOperations)('the documented operation $name', (operation) => {
  it('requires no credentials and names its price', () => {
    const { security, 'x-payment-info': payment } = described(operation);
    expect(security).toEqual([]);
    expect(payment).toEqual(
      operation.price === null
        ? undefined
        : {
            price: { mode: 'fixed', currency: 'USD', amount: operation.price.usd },
            protocols: [
              {
                x402: {
                  network: 'eip155:8453',
                  scheme: 'exact',
                  asset: 'USDC',
                  payTo: '0x00000000000000000000000000000000000000Aa',
                },
              },
            ],
          },
    );
  });

  it('shows the real answer of the service, with the first entry of each list, if the answer costs money', async () => {
    const shown = described(operation).responses['200']?.content['application/json']?.example;
    if (operation.price === null) return expect(shown).toBeUndefined();
    const answer = await buyExample(app, operation);
    expect(answer.status).toBe(200);
    expect(beginning(await answer.json(), shown)).toEqual(shown);
  });
});

/** The first part of each list in a value, as long as in `shown`, but with at least one entry if there is one. */
function beginning(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value))
    return value
      .slice(0, Math.max(1, (shown as []).length))
      .map((one, at) => beginning(one, (shown as [])[at]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      beginning(one, (shown as Record<string, unknown>)[name]),
    ]),
  );
}

it('the OpenAPI document shows the real error for an unknown field', async () => {
  const answer = await app.post('/v1/quote', { colour: 'blue' });
  const shown = document.paths['/v1/quote']?.post?.responses['400']?.content['application/problem+json'];
  expect(shown?.example).toEqual(await answer.json());
});

it('the OpenAPI document shows the real challenge', async () => {
  const [operation] = paidOperations as [(typeof paidOperations)[number]];
  const answer = await callExample(app, operation);
  expect(answer.status).toBe(402);
  // The challenge is compared without the parts that PaymentPayload shows, and without the extension that describes
  // the call again, because linters interpret an example inside an example as a keyword.
  const {
    sign: _typed,
    payment_payload: _payload,
    ...sent
  } = (await answer.json()) as { extensions: Record<string, unknown>; [field: string]: unknown };
  const { bazaar: _described, ...extensions } = sent.extensions;
  const shown = described(operation).responses['402']?.content['application/problem+json']?.example;
  expect(shown).toEqual({ ...sent, extensions });
});

it('the OpenAPI document fits the size that an agent reads as a whole', () => {
  expect(Buffer.byteLength(JSON.stringify(written))).toBeLessThanOrEqual(MOST_BYTES);
});

describe.each(paidOperations)('the documented errors of $name', (operation) => {
  const { responses } = described(operation);

  it('include a 402 that names the price', () => {
    expect(responses['402']?.description).toContain(`${operation.price?.usd} USD`);
  });

  it('include a 404 for unknown or deleted items, and a 409 with every state', () => {
    expect(responses['404']?.description).toMatch(/\bdeleted\b.*\bcharged\b/);
    const conflict = responses['409'] as (typeof responses)[string];
    const codes = problemTypes.filter(({ status }) => status === 409).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['waiting', 'rejected_or_not_received', 'analysis_failed']));
    const schema = JSON.stringify(conflict.content['application/problem+json']?.schema);
    for (const code of codes) {
      expect(conflict.description).toContain(`${code}:`);
      expect(schema).toContain(`"${code}"`);
    }
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '400', '402', '404', '409', '503', 'default']),
    );
    expect(responses.default?.description).toMatch(/\b500 internal: .*\bsettled no payment\b/);
  });
});
