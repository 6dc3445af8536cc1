import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { usdcDomain, usdcTypes } from '../dist/devnet/usdc.js';
import { expectStatus, headerJson } from './client.js';

/**
 * Payments for `url`, signed as its 402 requires, ready to send as PAYMENT-SIGNATURE.
 * @param {{ client: ReturnType<typeof import('./client.js').httpClient>, url: string, buyerKey: `0x${string}`, count:
 *   number }} options
 * @returns {Promise<string[]>}
 */
export async function signPayments({ client, url, buyerKey, count }) {
  const unpaid = await client.call(url);
  expectStatus(unpaid, 402, url);
  const required = headerJson(unpaid.headers['payment-required']);
  const account = privateKeyToAccount(buyerKey);
  const headers = [];
  for (let index = 0; index < count; index += 1) headers.push(await signed(account, required));
  return headers;
}

async function signed(account, { accepts: [accepted], resource }) {
  const authorization = {
    from: account.address,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  };
  const signature = await account.signTypedData({
    domain: usdcDomain,
    types: usdcTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}
