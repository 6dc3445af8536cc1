import { privateKeyToAccount } from 'viem/accounts';
import { createClient } from '../../packages/client/src/client.ts';

/** Buys a notice like a script on another site. The test that runs it bundles it for a browser. */
async function buyNotice(baseUrl: string, key: `0x${string}`): Promise<unknown> {
  const calculator = createClient({ baseUrl, payer: privateKeyToAccount(key) });
  const { answer, receipt } = await calculator.lateFeeNotice({ amount: 1250, due_date: '2026-09-01' });
  return { subject: answer.reminder.subject, success: receipt.success };
}

Object.assign(globalThis, { buyNotice });
