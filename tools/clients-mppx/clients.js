import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node_modules/mppx/dist/bin.js', import.meta.url));

/** What the command prints; throws what it says when it does not end well. */
async function mppx(words, { key }) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, MPPX_PRIVATE_KEY: key, MPPX_RPC_URL: 'http://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
  const [status] = await once(child, 'close');
  const text = Buffer.concat(output).toString();
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
    fault: 'pays at resource.url, without the query, and is told 400, not charged; POST works',
    async run(parts) {
      const [{ path }] = parts.products;
      const text = await mppx([`${parts.url}${path}`, '--protocol', 'x402', '--silent'], parts).catch(
        ({ message }) => message,
      );
      parts.assert.match(text, /400|is required/);
    },
  },
];
