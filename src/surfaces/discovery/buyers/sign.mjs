// npm install viem; the signer: turns a PAYMENT-REQUIRED header into a PAYMENT-SIGNATURE header.
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';

const [accepted] = JSON.parse(Buffer.from(process.argv[2], 'base64')).accepts;
const account = privateKeyToAccount(process.env.BUYER_KEY);
const authorization = {
  from: account.address,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: '0',
  validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
  nonce: `0x${randomBytes(32).toString('hex')}`,
};
const fields = {
  from: 'address',
  to: 'address',
  value: 'uint256',
  validAfter: 'uint256',
  validBefore: 'uint256',
  nonce: 'bytes32',
};
const signature = await account.signTypedData({
  domain: {
    ...accepted.extra,
    chainId: Number(accepted.network.split(':')[1]),
    verifyingContract: accepted.asset,
  },
  types: { TransferWithAuthorization: Object.entries(fields).map(([name, type]) => ({ name, type })) },
  primaryType: 'TransferWithAuthorization',
  message: authorization,
});
const payment = { x402Version: 2, accepted, payload: { signature, authorization } };
console.log(Buffer.from(JSON.stringify(payment)).toString('base64'));
