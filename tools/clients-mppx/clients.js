import { fileURLToPath } from 'node:url';
import { outputOf } from '../../scripts/output-of.js';

const program = fileURLToPath(new URL('node_modules/mppx/dist/bin.js', import.meta.url));

/** The output of the command; throws it if the command fails. */
async function mppx(words, { key }) {
  const env = { ...process.env, MPPX_PRIVATE_KEY: key, MPPX_RPC_URL: 'http://127.0.0.1:9' };
  const { status, text } = await outputOf([program, ...words], { env });
  if (status !== 0) throw new Error(`status ${status}: ${text.trim().slice(-250)}`);
  return text;
}

const byCommand = async (parts, { tool, path, has, arguments: input }) => {
  const address = `${parts.url}${path.replace(/\?.*/, '')}`;
  const text = await mppx([address, '--protocol', 'x402', '--silent', '-J', JSON.stringify(input)], parts);
  parts.assert.match(text, new RegExp(`"?${has}"?:`), `${tool}: ${text.slice(0, 200)}`);
};

export const clients = [
  {
    name: 'mppx library',
    of: 'mppx',
    async run(parts) {
      const { Mppx } = await import('mppx/client');
      const { evm } = await import('mppx/evm/client');
      const { privateKeyToAccount } = await import('viem/accounts');
      const account = privateKeyToAccount(parts.key);
      const buyer = Mppx.create({ methods: [evm.charge({ account })], polyfill: false });
      await parts.buyAll((address, init) => buyer.fetch(address, init));
    },
  },
  {
    name: 'mppx command, by POST',
    of: 'mppx',
    async run(parts) {
      for (const product of parts.products) await byCommand(parts, product);
    },
  },
  {
    name: 'mppx command, by GET',
    of: 'mppx',
    spends: 0,
    fault: 'pays at resource.url, without the query, and gets 400, not charged; POST works',
    async run(parts) {
      const [{ path }] = parts.products;
      const text = await mppx([`${parts.url}${path}`, '--protocol', 'x402', '--silent'], parts).catch(
        ({ message }) => message,
      );
      parts.assert.match(text, /400|is required/);
    },
  },
];
