import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { TRANSFER_TYPES } from '../../src/surfaces/challenges.ts';
import { examplePayment } from '../../src/surfaces/discovery/payment-guide.ts';
import { block } from '../drift/readme.ts';
import { expectNotice, publishedPrograms, readersFolder, removed, sharedShop } from './bench.ts';

const shop = sharedShop();

it('the program in TypeScript buys the notice', async () => {
  const { 'buy.ts': program = '' } = await publishedPrograms(shop());
  const folder = readersFolder({ 'buy.ts': program });
  try {
    const input = join(folder, 'buy.ts');
    // Node.js 20 cannot run TypeScript, so the types are removed. The packages are those that the program names.
    const { output } = await build({ input, external: /^[^./]/, platform: 'node', write: false });
    writeFileSync(join(folder, 'buy.mjs'), output[0].code);
    await expectNotice(shop(), { command: process.execPath, args: ['buy.mjs'], folder });
  } finally {
    removed(folder);
  }
});

it('the program in README.md buys the notice', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const program = block(readme, 'program').replaceAll(/^```\w*$/gm, '');
  expect(program).toContain('http://127.0.0.1:4021/');
  const folder = readersFolder({ 'buy.mjs': program.replace('http://127.0.0.1:4021', shop().url) });
  try {
    await expectNotice(shop(), { command: process.execPath, args: ['buy.mjs'], folder });
  } finally {
    removed(folder);
  }
});

it('the example payment is signed according to the documented types and rules', async () => {
  const { accepted, payload } = examplePayment;
  const { value, validAfter, validBefore, ...rest } = payload.authorization;
  const account = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`);
  expect(account.address).toBe(rest.from);
  const signature = await account.signTypedData({
    domain: {
      ...accepted.extra,
      chainId: Number(accepted.network.split(':')[1]),
      verifyingContract: accepted.asset,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...rest,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  expect(signature).toBe(payload.signature);
});
