import type { PaymentRequired } from '@x402/core/types';
import { describe, expect, it } from 'vitest';
import { inputSchema as fullSchema, type Schema } from '../../src/catalog/schema.ts';
import { reasonCodes } from '../../src/payments/x402/reasons.ts';
import { bazaarExtension } from '../../src/surfaces/bazaar.ts';
import {
  extractDiscoveryInfoFromExtension,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '../../tools/x402/bazaar.ts';
import { callTool } from '../mcp/endpoint.ts';
import { testApp } from '../support/app.ts';
import { callExample, decodedHeader, paidOperations } from './support.ts';

const MAX_HEADER_BYTES = 3_000;
const app = testApp();

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf);

describe.each(paidOperations)('the live challenge of $name', (operation) => {
  const required = async (): Promise<PaymentRequired> =>
    decodedHeader(await callExample(app, operation), 'payment-required');

  it('stays within what a default proxy passes on, whatever the reason', async () => {
    const challenge = await required();
    for (const error of reasonCodes) {
      const header = Buffer.from(JSON.stringify({ ...challenge, error })).toString('base64');
      expect(header.length).toBeLessThanOrEqual(MAX_HEADER_BYTES);
    }
  });

  it('carries a bazaar extension that the official validators accept', async () => {
    const bazaar = (await required()).extensions?.bazaar as never;
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    const info = extractDiscoveryInfoFromExtension(bazaar);
    expect(info.input).toMatchObject({ type: 'http', method: operation.route?.method });
    expect(info.output?.example).toBeDefined();
  });

  it('shows a real answer, shortened by whole texts, and says that it is', async () => {
    type Shown = { info: { output: { example: unknown } }; schema: { properties: { output: Schema } } };
    const { info, schema } = ((await required()).extensions as { bazaar: Shown }).bazaar;
    const documented = await (await app.get('/openapi.json')).text();
    for (const text of textsOf(info.output.example)) expect(documented).toContain(JSON.stringify(text));
    expect(schema.properties.output.properties).toMatchObject({ example: { description: 'shortened' } });
  });

  it('describes a resource of which a catalogue drops nothing', async () => {
    const { resource } = await required();
    expect(sanitizeResourceServiceMetadata(resource as never)).toEqual({
      serviceName: 'Small-Business Calculator',
      tags: ['small-business', 'invoicing', 'quotes'],
    });
    expect(resource.description?.length).toBeLessThan(300);
  });
});

describe.each(paidOperations)('the live challenge of the tool $name', (operation) => {
  const required = async (): Promise<PaymentRequired> => {
    const { structuredContent } = await callTool(app, 'modern', operation.name, {
      arguments: operation.example,
    });
    return structuredContent as unknown as PaymentRequired;
  };

  it('carries a bazaar extension that the official validators accept', async () => {
    const { resource, extensions } = await required();
    const bazaar = extensions?.bazaar as never;
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    const { input } = extractDiscoveryInfoFromExtension(bazaar);
    expect(input).toMatchObject({ type: 'mcp', toolName: operation.name, transport: 'streamable-http' });
    expect(sanitizeResourceServiceMetadata(resource as never)).toMatchObject({ tags: resource.tags });
    expect(resource.description?.length).toBeLessThan(300);
  });

  it('names the fields of the tool, and an example that buys', async () => {
    const { input } = extractDiscoveryInfoFromExtension((await required()).extensions?.bazaar as never);
    const { inputSchema, example } = input as { inputSchema: Schema; example: Record<string, unknown> };
    const schema = fullSchema(operation);
    expect(Object.keys(inputSchema.properties as object)).toEqual(Object.keys(schema.properties as object));
    expect(inputSchema.required).toEqual(schema.required);
    const unpaid = await callTool(app, 'modern', operation.name, { arguments: example });
    expect(unpaid.structuredContent).toMatchObject({ error: 'payment_required' });
  });

  it('is as short as a header, whatever the reason', async () => {
    const challenge = await required();
    const { accepts, extensions, resource } = challenge;
    for (const error of reasonCodes) {
      const json = JSON.stringify({ x402Version: 2, error, resource, accepts, extensions });
      expect(Buffer.from(json).toString('base64').length).toBeLessThanOrEqual(MAX_HEADER_BYTES);
    }
  });
});

describe('the sketch of an answer', () => {
  const operation = paidOperations[0] as (typeof paidOperations)[number];
  const answer = { title: 'x'.repeat(70), lines: [{ n: 1 }, { n: 2 }], last: true };
  const sketched = (roomBytes: number) =>
    (bazaarExtension(operation, answer, roomBytes).bazaar as { info: { output?: unknown } }).info.output;

  it('keeps one item of a list and leaves a long text out', () => {
    expect(sketched(5_000)).toEqual({
      type: 'json',
      example: { lines: [{ n: 1 }], last: true },
    });
  });

  it('goes after the types of the input and before its names when there is no room', () => {
    type Extension = {
      info: { output?: unknown };
      schema: { properties: { input: { properties: { queryParams: { properties: Schema } } } } };
    };
    const inputOf = (roomBytes: number) => {
      const { info, schema } = bazaarExtension(operation, answer, roomBytes).bazaar as Extension;
      const { properties } = schema.properties.input.properties.queryParams;
      return {
        names: Object.keys(properties),
        amount: properties.amount,
        isSketched: info.output !== undefined,
      };
    };
    const names = Object.keys(fullSchema(operation).properties as object);
    const bytes = Buffer.byteLength(JSON.stringify(bazaarExtension(operation, {}, 5_000)));
    expect(inputOf(5_000)).toEqual({ names, amount: { type: 'number' }, isSketched: true });
    expect(inputOf(bytes - 40)).toEqual({ names, amount: {}, isSketched: true });
    const rooms = Array.from({ length: bytes }, (_, less) => bytes - less);
    const bare = rooms.find((roomBytes) => !inputOf(roomBytes).isSketched) ?? 0;
    expect(inputOf(bare)).toMatchObject({ names });
  });

  it('is no reason to send a challenge without its input', () => {
    expect(() => sketched(200)).toThrow(/\bchallenge\b.*\b200\b/);
  });
});
