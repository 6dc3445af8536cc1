import { privateKeyToAccount } from 'viem/accounts';
import { createClient } from '../../packages/client/src/client.ts';

/** Buys a notice, as a script of somebody else's page does; bundled for a browser by the test that runs it. */
async function buyNotice(baseUrl: string, key: `0x${string}`): Promise<unknown> {
  const calculator = createClient({ baseUrl, payer: privateKeyToAccount(key) });
  const { answer, receipt } = await calculator.lateFeeNotice({ amount: 1250, due_date: '2026-09-01' });
  return { subject: answer.reminder.subject, success: receipt.success };
}

Object.assign(globalThis, { buyNotice });
