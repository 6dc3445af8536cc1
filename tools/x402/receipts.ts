import { fetchTool } from '../../scripts/tool.js';

fetchTool('x402');
export const { extractReceiptFromResponse, extractReceiptPayload, verifyReceiptSignatureJWS } = await import(
  '@x402/extensions/offer-receipt'
);
export type { JWSSignedReceipt } from '@x402/extensions/offer-receipt';
