// npm install @x402/fetch @x402/evm viem
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.BUYER_KEY as `0x${string}`);
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
const fetchAndPay = wrapFetchWithPayment(fetch, client);

const answer = await fetchAndPay('https://calc.example/v1/late-fee-notice', {
  method: 'POST',
  // Use the same key to retry a purchase: it is charged once.
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({ amount: 1250, due_date: '2026-09-01' }),
});
console.log(JSON.stringify(await answer.json()));
