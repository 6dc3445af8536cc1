import '../platform/node-version.ts';
import type { Hex } from 'viem';
import { configMessage, readConfig } from '../config/config.ts';
import type { EmbeddedChain } from '../devnet/chain.ts';
import { usdcBalance } from '../devnet/usdc.ts';
import { commandLine } from '../platform/command-line.ts';
import { createLog } from '../platform/log.ts';
import { StartFault } from '../platform/start-fault.ts';
import { type Service, startService } from '../service/service.ts';
import { type Buyer, buyTool, createBuyer, headerJson, seenLines, toolLines, usdcText } from './buyer.ts';
import { type DemoCall, demoCalls, demoTool, highlights } from './demo-calls.ts';

const print = (text = ''): boolean => process.stdout.write(`${text}\n`);

/**
 * Starts the service with its own chain, buys like any outside buyer, and checks that the money on the chain matches
 * the prices.
 */
async function demo(service: Service, chain: EmbeddedChain, baseUrl: string): Promise<boolean> {
  const [key] = chain.buyers;
  if (key === undefined) throw new Error('The embedded chain has no buyers');
  const buyer = createBuyer(key.privateKey, `eip155:${chain.chainId}`, (seen) => {
    for (const line of seenLines(seen)) print(`  ${line}`);
  });
  print(`Service   ${service.url}`);
  print(`Chain     ${chain.rpcUrl} (play money, chain id ${chain.chainId}, the real USDC contract)`);
  print(`Buyer     ${buyer.address}`);
  print(`Payee     ${chain.payee} (the USDC contract itself, which cannot receive real USDC)`);
  const before = await balances(chain, key.address);
  let spent = 0n;
  let allWell = true;
  for (const call of demoCalls) {
    print(`\n${call.title}`);
    const { paid, ok } = await make(call, baseUrl, buyer.fetch);
    spent += paid;
    allWell = allWell && ok;
  }
  print('\nThe same over MCP: late_fee_notice');
  const tool = await makeTool(baseUrl, key.privateKey, chain.chainId);
  spent += tool.paid;
  allWell = allWell && tool.ok;
  const after = await balances(chain, key.address);
  print('\nThe books');
  print(`  paid for           ${usdcText(spent)}`);
  print(`  buyer paid ${usdcText(before.buyer - after.buyer)}`);
  print(`  payee received ${usdcText(after.payee - before.payee)}`);
  const balanced = before.buyer - after.buyer === spent && after.payee - before.payee === spent && spent > 0n;
  print(
    balanced && allWell
      ? '  All is well: every cent paid for an answer.'
      : '  SOMETHING IS WRONG: see above.',
  );
  return balanced && allWell;
}

async function make(
  call: DemoCall,
  baseUrl: string,
  pay: Buyer['fetch'],
): Promise<{ paid: bigint; ok: boolean }> {
  const response = await pay(`${baseUrl}${call.path}`, call.init);
  const body = (await response.json()) as Record<string, unknown>;
  for (const line of highlights(body, call.show)) print(`    ${line}`);
  const receipt = headerJson<{ success: boolean }>(response.headers, 'payment-response');
  const isPaid = receipt?.success === true;
  const ok = response.status === 200 && isPaid === (call.price !== null);
  return { paid: isPaid && call.price !== null ? BigInt(call.price.atomic) : 0n, ok };
}

async function makeTool(baseUrl: string, key: Hex, chainId: number): Promise<{ paid: bigint; ok: boolean }> {
  const { name, example, price } = demoTool;
  const bought = await buyTool(
    `${baseUrl}/mcp`,
    { key, network: `eip155:${chainId}` },
    { name, args: example },
  );
  for (const line of toolLines(name, bought)) print(`  ${line}`);
  for (const line of highlights(bought.answer.structuredContent, ['fee.formula', 'reminder.subject']))
    print(`    ${line}`);
  const receipt = bought.answer._meta?.['x402/payment-response'] as { success?: boolean } | undefined;
  const ok = receipt?.success === true && bought.answer.isError !== true;
  return { paid: ok && price !== null ? BigInt(price.atomic) : 0n, ok };
}

async function balances(chain: EmbeddedChain, buyer: `0x${string}`) {
  const [mine, theirs] = await Promise.all([
    usdcBalance(chain.rpcUrl, buyer),
    usdcBalance(chain.rpcUrl, chain.payee),
  ]);
  return { buyer: mine, payee: theirs };
}

const USAGE = `Usage: npm run demo [-- --exit]
Starts the service with play money on an embedded chain, buys one of each product, and keeps running.
  --exit   exits after the purchases, with status 1 if the sums do not match`;

async function main(): Promise<number | null> {
  const { values } = commandLine(USAGE, { exit: { type: 'boolean' } });
  const { SETTLERS: _settlers, PAY_TO: _payTo, ...env } = process.env;
  const reading = readConfig({ ...env, LOG_LEVEL: env.LOG_LEVEL ?? 'warn' });
  if (!reading.ok) {
    process.stderr.write(`${configMessage(reading.faults)}\n`);
    return 78;
  }
  const { config } = reading;
  const log = createLog({ level: config.logLevel, write: (line) => process.stdout.write(line) });
  const service = await startService(config, log);
  if (service.chain === null) throw new Error('The demo needs the embedded chain');
  const isBalanced = await demo(service, service.chain, service.url);
  if (values.exit) {
    await service.stop();
    return isBalanced ? 0 : 1;
  }
  // The default of `npm run buy`.
  const at = new URL(service.url).port === '4021' ? '' : ` --url ${service.url}`;
  print(`\nStill serving at ${service.url}. Buy something yourself, in a browser or from another terminal:`);
  print(`  ${service.url}/late-invoice`);
  print(`  npm run buy -- late-fee-notice amount=1250 due_date=2026-10-01${at}`);
  print('Press Ctrl-C to stop it.');
  const stop = () => void service.stop().then(() => process.exit(isBalanced ? 0 : 1));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return null;
}

main().then(
  (status) => status !== null && process.exit(status),
  (error: unknown) => {
    const why = error instanceof Error ? error.message : 'unknown fault';
    process.stderr.write(`${error instanceof StartFault ? why : `The demo failed: ${why}`}\n`);
    process.exit(1);
  },
);
