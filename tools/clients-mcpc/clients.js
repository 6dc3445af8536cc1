import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node_modules/@apify/mcpc/bin/mcpc', import.meta.url));

/** The output of the command; throws it if the command fails. */
async function mcpc(...words) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
  // The process that it leaves running for a session keeps its streams open.
  const [status] = await once(child, 'exit');
  const text = Buffer.concat(output).toString();
  if (status !== 0) throw new Error(`${words[0]}: status ${status}: ${text.trim().slice(-250)}`);
  return text;
}

const inSession = async ({ url }, options, use) => {
  await mcpc('connect', `${url}/mcp`, '@shop', ...options);
  try {
    await use((name, input) => mcpc('@shop', 'tools-call', name, JSON.stringify(input)));
  } finally {
    await mcpc('close', '@shop');
  }
};

export const clients = [
  {
    name: 'mcpc without a wallet',
    of: '@apify/mcpc',
    spends: 0,
    run: (parts) =>
      inSession(parts, [], (call) =>
        parts.useTools({
          list: async () =>
            (await mcpc('--json', '@shop', 'tools-list'))
              .match(/"name": ?"\w+"/g)
              .map((each) => each.slice(0, -1)),
          call,
        }),
      ),
  },
  {
    name: 'mcpc --x402, three notices and two more in one session',
    of: '@apify/mcpc',
    spends: 1_080_000,
    async run(parts) {
      await mcpc('x402', 'import', parts.key);
      await inSession(parts, ['--x402'], async (call) => {
        for (const amount of [1250, 1251, 1252])
          parts.assert.match(
            await call('late_fee_notice', { amount, due_date: '2026-09-01' }),
            new RegExp(`${amount}\\.00`),
          );
        for (const { tool, arguments: input, has } of parts.products.slice(1))
          parts.assert.match(await call(tool, input), new RegExp(`${has}|##|option`, 'i'));
      });
    },
  },
];
