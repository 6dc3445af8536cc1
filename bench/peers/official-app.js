import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as ExactEvmFacilitator } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { Hono } from 'hono';
import { createWalletClient, http, nonceManager, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { paymentMiddleware, x402ResourceServer } from '../../tools/x402/middleware.js';
import { notice } from '../samples.js';

function inProcessFacilitator({ rpcUrl, relayerKey }) {
  const account = privateKeyToAccount(relayerKey, { nonceManager });
  const client = createWalletClient({ account, chain: base, transport: http(rpcUrl) }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract(args),
    verifyTypedData: (args) => client.verifyTypedData(args),
    writeContract: (args) => client.writeContract(args),
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  });
  const facilitator = new x402Facilitator().register('eip155:8453', new ExactEvmFacilitator(signer));
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported(),
  };
}

/** @param {{ rpcUrl: string, relayerKey: `0x${string}` }} options */
export async function officialServer(options) {
  const server = new x402ResourceServer(inProcessFacilitator(options)).register(
    'eip155:8453',
    new ExactEvmScheme(),
  );
  await server.initialize();
  return server;
}

/** @param {`0x${string}`} payTo */
export const officialRoutes = (payTo) => ({
  [`GET ${notice.path}`]: {
    accepts: { scheme: 'exact', network: 'eip155:8453', price: '$0.01', payTo, maxTimeoutSeconds: 120 },
    description: notice.summary,
    mimeType: 'application/json',
  },
});

/**
 * The official middleware with an official facilitator in the same process, set up as in their documentation. Its
 * handler answers from memory what our service calculates, which favors the peer.
 * @param {{ rpcUrl: string, relayerKey: `0x${string}`, payTo: `0x${string}` }} options
 */
export async function officialApp({ payTo, ...options }) {
  const app = new Hono();
  app.use(paymentMiddleware(officialRoutes(payTo), await officialServer(options)));
  app.get(notice.path, (context) => context.json(notice.answer));
  return app;
}
