import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { terms } from '../../../test/support/app.ts';
import { Secret } from '../../config/reading.ts';
import { type SettlersSettings, settlersOf } from './settlers.ts';

const settings: SettlersSettings = {
  rpcUrls: [],
  key: null,
  cdpApiKey: null,
  gasWeiPerCent: 10n ** 13n,
  gasBudgetWeiPerHour: 10n ** 16n,
  terms,
  prices: { lowest: '10000', highest: '500000' },
  confirmations: 0,
  now: Date.now,
};

const cdpApiKey = (secret: string) => ({ id: new Secret('key-4711'), secret: new Secret(secret) });

function edwardsSecret(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64');
}

describe('the settlers of a service', () => {
  it('are named by kind, and facilitators by their position in the list, and are not asked before they run', () => {
    const settlers = settlersOf(
      [{ kind: 'cdp' }, { kind: 'facilitator', url: 'https://facilitator.invalid/key' }, { kind: 'payai' }],
      { ...settings, cdpApiKey: cdpApiKey(edwardsSecret()) },
    );
    // Stopped before the first question is sent.
    settlers.stop();
    expect(settlers.health()).toEqual([
      { settler: 'cdp', state: 'unasked', reason: null },
      { settler: 'facilitator_2', state: 'unasked', reason: null },
      { settler: 'payai', state: 'unasked', reason: null },
    ]);
  });

  it('do not start with a wrong or missing key, and do not quote it', () => {
    const secret = 'c2VjcmV0LTQ3MTE=';
    expect(() => settlersOf([{ kind: 'cdp' }], { ...settings, cdpApiKey: cdpApiKey(secret) })).toThrow(
      /^CDP_API_KEY_SECRET is not a key secret$/,
    );
    expect(() => settlersOf([{ kind: 'cdp' }], settings)).toThrow('A settler lacks its key');
    expect(() => settlersOf([{ kind: 'local' }], settings)).toThrow('A settler lacks its key');
  });
});
