import { createApp } from '../dist/app.js';
import { catalog } from '../dist/catalog/catalog.js';
import { memoryClaims } from '../dist/exchange/claims.js';

const settlesNothing = async () => ({ state: 'not_sent', reason: 'benchmark' });

/** Our app in this process, for what needs no chain. */
export const oursApp = () =>
  createApp({
    operations: catalog,
    terms: {
      network: 'eip155:8453',
      chainId: 8453,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      assetName: 'USD Coin',
      assetVersion: '2',
      payTo: '0x00000000000000000000000000000000000000aa',
    },
    settlement: { settle: settlesNothing, reconcile: settlesNothing },
    claims: memoryClaims({ maxClaims: 1_000, now: Date.now }),
    now: Date.now,
    baseUrl: 'http://127.0.0.1:4021',
    freeRequestsPerMinute: 1_000_000_000,
    trustedProxies: [],
    coldProbe: 400,
    health: async () => ({ status: 'ok', payments: 'ok' }),
    onBug: (operation, error) => {
      throw new Error(`A fault in ${operation}`, { cause: error });
    },
    onCall: () => undefined,
  }).http;
