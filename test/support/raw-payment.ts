import { decodePayment } from '../../src/payments/x402/payment.ts';

export const FROM = '0xAbCdEf0123456789aBcDeF0123456789ABCDEF01';
export const TO = '0x00000000000000000000000000000000000000Aa';
export const NONCE = `0x${'Ab'.repeat(32)}`;
export const SIGNATURE = `0x${'1F'.repeat(65)}`;

export const authorization = {
  from: FROM,
  to: TO,
  value: '10000',
  validAfter: '0',
  validBefore: '1795262500',
  nonce: NONCE,
};
export const good = {
  x402Version: 2,
  resource: { url: 'https://calc.example/v1/late-fee-notice', description: '', mimeType: '' },
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: TO,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  },
  payload: { signature: SIGNATURE, authorization },
};
export const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
export const codes = (raw: unknown): string[] => {
  const decoded = decodePayment(raw);
  return decoded.ok ? [] : decoded.faults.map(({ pointer, code }) => `${pointer} ${code}`);
};
export const undecodable = ['/payment undecodable'];
