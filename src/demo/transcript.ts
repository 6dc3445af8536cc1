import { headerJson, type Seen, type ToolPurchase } from './buyer.ts';

type Challenge = { accepts: { amount: string; payTo: string; network: string }[] };
type Payment = { payload: { authorization: { from: string; value: string; nonce: string } } };
type Receipt = { success: boolean; transaction: string; payer: string };

/** Formats atomic USDC for people: "50000" becomes "0.05 USDC". */
export const usdcText = (atomic: string | bigint): string => {
  const padded = String(atomic).padStart(7, '0');
  const decimals = padded.slice(-6).replace(/0+$/, '').padEnd(2, '0');
  return `${padded.slice(0, -6)}.${decimals} USDC`;
};

/** One HTTP exchange of a purchase, line by line. */
export function seenLines({ request, response }: Seen): string[] {
  const { pathname, search } = new URL(request.url);
  const lines = [`> ${request.method} ${pathname}${search}`];
  const payment = headerJson<Payment>(request.headers, 'payment-signature');
  if (payment) {
    const { from, value, nonce } = payment.payload.authorization;
    lines.push(`> PAYMENT-SIGNATURE: ${from} signs ${usdcText(value)}, nonce ${nonce.slice(0, 10)}…`);
  }
  lines.push(`< ${response.status} ${response.statusText}`.trimEnd());
  const challenge = headerJson<Challenge>(response.headers, 'payment-required');
  for (const { amount, payTo, network } of challenge?.accepts ?? [])
    lines.push(`< PAYMENT-REQUIRED: ${usdcText(amount)} on ${network} to ${payTo}`);
  const receipt = headerJson<Receipt>(response.headers, 'payment-response');
  if (receipt)
    lines.push(`< PAYMENT-RESPONSE: success ${receipt.success}, transaction ${receipt.transaction}`);
  return lines;
}

/** The two calls of a paid MCP tool, line by line. */
export function toolLines(name: string, { challenge, answer }: ToolPurchase): string[] {
  const { accepts } = challenge.structuredContent as Challenge;
  const receipt = answer._meta?.['x402/payment-response'] as Receipt;
  return [
    `> tools/call ${name}`,
    ...accepts.map(
      ({ amount, payTo, network }) => `< payment required: ${usdcText(amount)} on ${network} to ${payTo}`,
    ),
    `> tools/call ${name} with _meta["x402/payment"]`,
    `< _meta["x402/payment-response"]: success ${receipt.success}, transaction ${receipt.transaction}`,
  ];
}
