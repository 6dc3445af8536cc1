import { costOf, isPaid, networkName, routed, type Site } from '../site.ts';

/** How to pay, in the order a client does it. */
export const paymentSteps: readonly string[] = [
  'Send the request without payment. A valid one is answered 402 with the price in the PAYMENT-REQUIRED header (base64 of JSON) and in the body.',
  'Sign an EIP-3009 transferWithAuthorization of USDC for one of accepts. No gas and no account is needed; the signature moves exactly the price.',
  'Repeat the identical request with the x402 v2 PaymentPayload, base64 of its JSON, in the PAYMENT-SIGNATURE header. The answer is 200 with the receipt in PAYMENT-RESPONSE.',
  'If the reply is lost, repeat the identical request with the same PAYMENT-SIGNATURE: it is never charged twice.',
];

/** The guarantees of every paid call. */
export const promises: readonly string[] = [
  'Invalid input is answered 400 and never charged.',
  'The answer exists before the payment is settled; without an answer nothing is paid.',
  'Nothing you send is stored.',
];

/** One line an operation: method, path, price, what it does. */
const operationLines = (site: Site): readonly string[] =>
  routed(site).map((operation) => {
    const { route, summary } = operation;
    const also = route.alsoByPost ? ' Or by POST, with the same as a JSON body.' : '';
    return `${route.method} ${route.path} (${costOf(operation)}): ${summary}.${also}`;
  });

/** A list as Markdown has it. */
export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** What an agent has to know before its first call, in at most 4000 characters. */
export function guidance(site: Site): string {
  const { baseUrl, terms, freeRequestsPerMinute } = site;
  const paidTools = site.operations.filter((operation) => operation.tool && isPaid(operation));
  return [
    'Choose by need:',
    list(operationLines(site)),
    `Free requests: ${freeRequestsPerMinute} a minute for one address; then 429 with Retry-After.`,
    `Paying (x402 version 2, scheme exact, USDC on ${networkName(terms)}, ${terms.network}):`,
    paymentSteps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    list(promises),
    'Read code and errors[].hint of a problem: they say what to change. On 409 waiting, repeat with the same payment; never sign a second one.',
    `The same over MCP at ${baseUrl}/mcp, where the paid tools are ${paidTools.map(({ name }) => name).join(', ')}.`,
  ].join('\n\n');
}
