import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

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

const bodyOf = async (request: IncomingMessage): Promise<SettleBody> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
};

/** The official x402 facilitator over HTTP on 127.0.0.1, settling with `key` on the chain at `rpcUrl`. */
export const startOfficialFacilitator = async (rpcUrl: string, key: Hex): Promise<OfficialFacilitator> => {
  const facilitator = facilitatorOn(rpcUrl, key);
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    if (request.url === '/supported') return facilitator.getSupported();
    const { paymentPayload, paymentRequirements } = await bodyOf(request);
    const act = request.url === '/verify' ? 'verify' : 'settle';
    return facilitator[act](paymentPayload, paymentRequirements);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
