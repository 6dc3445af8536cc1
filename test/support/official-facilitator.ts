import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { opened, stopped } from './listening.ts';

export type OfficialFacilitator = { url: string; stop(): Promise<void> };

const facilitatorOn = (rpcUrl: string, key: Hex) => {
  const client = createWalletClient({
    account: privateKeyToAccount(key),
    chain: base,
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner(
    {
      address: client.account.address,
      getCode: (ask) => client.getCode(ask),
      readContract: (ask) => client.readContract(ask as Parameters<typeof client.readContract>[0]),
      verifyTypedData: (ask) => client.verifyTypedData(ask as Parameters<typeof client.verifyTypedData>[0]),
      writeContract: (ask) => client.writeContract(ask as Parameters<typeof client.writeContract>[0]),
      sendTransaction: (ask) => client.sendTransaction(ask),
      waitForTransactionReceipt: (ask) => client.waitForTransactionReceipt(ask),
    },
    { confirmationTimeoutMs: 10_000 },
  );
  return new x402Facilitator().register('eip155:8453', new ExactEvmScheme(signer));
};

type SettleBody = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements };

/** The official x402 facilitator over HTTP on 127.0.0.1, settling with `key` on the chain at `rpcUrl`. */
export const startOfficialFacilitator = async (rpcUrl: string, key: Hex): Promise<OfficialFacilitator> => {
  const facilitator = facilitatorOn(rpcUrl, key);
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    if (request.url === '/supported') return facilitator.getSupported();
    const { paymentPayload, paymentRequirements } = (await json(request)) as SettleBody;
    const act = request.url === '/verify' ? 'verify' : 'settle';
    return facilitator[act](paymentPayload, paymentRequirements);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  });
  return {
    url: await opened(server),
    stop: () => stopped(server),
  };
};
