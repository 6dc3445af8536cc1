import { memoryClaims } from '../../src/exchange/claims.ts';
import { claimsContract, contractNow } from './claims-contract.ts';

claimsContract('memory', () => memoryClaims({ maxClaims: 1_000, now: contractNow }));
