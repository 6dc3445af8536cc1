// Replaces the answer of the vendor's server that agentcash needs before it pays: how much USDC the account has.
// Everything else passes through.
const real = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const { href } = new URL(input instanceof Request ? input.url : input);
  return /agentcash\.dev\/api\/balance$/.test(href)
    ? Promise.resolve(
        Response.json({ balance: 1000, network: 'eip155:8453', paymentNetwork: 'base', chainId: 8453 }),
      )
    : real(input, init);
};
