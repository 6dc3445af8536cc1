import { decodePaymentRequiredHeader } from '@x402/core/http';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../catalog/operation.ts';
import quotePack from '../../operations/quote-pack.ts';
import { challengeOf, roomForExtensions } from './challenge.ts';
import { reasonCodes } from './reasons.ts';
import { requirementsOf } from './requirements.ts';

const operation = quotePack as unknown as Operation;
const requirements = requirementsOf(operation, {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x00000000000000000000000000000000000000Aa',
});
const resource = {
  url: 'https://calc.example/v1/quote-pack',
  description: 'Three priced options',
  mimeType: 'application/json',
  serviceName: 'Calculator',
  tags: ['quotes'],
  iconUrl: 'https://calc.example/favicon.svg',
};
const challenge = challengeOf(operation, requirements, resource, {});

describe('a challenge', () => {
  it('offers payment identifiers as their extension describes them', () => {
    expect(challenge.required('payment_required').extensions).toEqual({
      'payment-identifier': {
        info: { required: false },
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {
            required: { type: 'boolean' },
            id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
          },
          required: ['required'],
        },
      },
    });
  });

  it('is the same in its header, in standard base64 that the official client can read', () => {
    for (const reason of reasonCodes) {
      const header = challenge.header(reason);
      expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(header.length).toBeLessThanOrEqual(3_000);
      expect(decodePaymentRequiredHeader(header)).toEqual({
        ...challenge.required(reason),
        extensions: { 'payment-identifier': { info: { required: false } } },
      });
    }
  });

  it('is refused at startup if it would not fit a header', () => {
    const long = { ...resource, description: 'x'.repeat(3_000) };
    expect(() => challengeOf(operation, requirements, long, {})).toThrow(
      'The challenge of quote_pack is over 3000 bytes',
    );
    const inHeader = { x: 'x'.repeat(3_000) };
    expect(() => challengeOf(operation, requirements, resource, { inHeader })).toThrow('is over');
  });

  it('may have more in its body than fits a header', () => {
    const extensions = { x: 'x'.repeat(3_000) };
    const long = challengeOf(operation, requirements, resource, { extensions, inHeader: { x: 'x' } });
    expect(long.required('payment_required').extensions).toMatchObject(extensions);
    expect(long.extensions).toEqual(extensions);
    const header = decodePaymentRequiredHeader(long.header('payment_required'));
    expect(header.extensions).toEqual({ ...challenge.compact('payment_required').extensions, x: 'x' });
  });

  it('leaves room for as many bytes of extensions as fit every header', () => {
    const room = roomForExtensions(requirements, resource);
    // The member `"x":""` itself takes six bytes.
    const headersWith = (bytes: number) => {
      const { header } = challengeOf(operation, requirements, resource, {
        inHeader: { x: 'x'.repeat(bytes - 6) },
      });
      return Math.max(...reasonCodes.map((reason) => header(reason).length));
    };
    expect(headersWith(room)).toBe(3_000);
    expect(headersWith(room + 1)).toBeGreaterThan(3_000);
  });
});
