import { isPaid, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';
import { SKILL_PATH } from './agent-skills.ts';
import { exampleCommand } from './example-request.ts';
import { guidance, list } from './guidance.ts';
import { INPUT_LEGEND, inputLine } from './input-lines.ts';
import {
  exampleWords,
  payloadText,
  paymentRules,
  receiptWords,
  TYPED_CLIENT,
  typesText,
  VERIFY_RECEIPT,
} from './payment-lesson.ts';

/** A page that llms.txt links to. */
export type LinkedPage = { readonly title: string; readonly path: string; readonly description: string };

/**
 * llms.txt (llmstxt.org): a title, a summary, running text, then sections of links alone. Everything that is not a
 * link list stands above the first section, for parsers read nothing else below it.
 */
export function llmsTxt(site: Site, pages: readonly LinkedPage[]): string {
  const { baseUrl } = site;
  const link = (title: string, path: string, notes: string) => `- [${title}](${baseUrl}${path}): ${notes}`;
  return [
    `# ${SITE_NAME}`,
    `> ${SITE_SUMMARY}`,
    guidance(site),
    inputs(site),
    payment(site),
    examples(site),
    '## API',
    [
      link('OpenAPI 3.1', '/openapi.json', 'every operation with schemas and examples'),
      link('For developers and agents', '/developers.md', 'the payment in full, and programs that buy'),
      link('API reference', '/docs.md', 'every operation to read'),
      link('MCP server card', '/mcp/server-card', `the MCP server is at ${baseUrl}/mcp`),
    ].join('\n'),
    '## Payment and discovery',
    [
      link('x402 manifest', '/.well-known/x402', 'what is sold, with prices and payment requirements'),
      link('API catalogue', '/.well-known/api-catalog', 'RFC 9727 linkset'),
      link('AI catalogue', '/.well-known/ai-catalog.json', 'the MCP server for agent directories'),
      link('Agent skill', SKILL_PATH, 'when and how an agent uses all this'),
    ].join('\n'),
    '## Optional',
    pages.map(({ title, path, description }) => link(title, path, description)).join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

const inputs = (site: Site): string => `Inputs (${INPUT_LEGEND}):\n\n${list(routed(site).map(inputLine))}`;

const json = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

/** The payment in full, for an agent that has this text alone. */
function payment(site: Site): string {
  const receipts = receiptWords(site);
  return [
    'What a buyer signs is EIP-712 typed data, primary type TransferWithAuthorization:',
    json(typesText),
    list(paymentRules),
    `The PaymentPayload. ${exampleWords}`,
    json(payloadText),
    `Programs that buy, in TypeScript, Python, Go and curl: ${site.baseUrl}/developers.md. ${TYPED_CLIENT}`,
    ...(receipts === null ? [] : [`${receipts} ${VERIFY_RECEIPT}`]),
  ].join('\n\n');
}

/** The first free and the first paid operation, as commands. */
function examples(site: Site): string {
  const operations = routed(site);
  const chosen = [operations.find((operation) => !isPaid(operation)), operations.find(isPaid)];
  const commands = chosen.flatMap((operation) =>
    operation === undefined ? [] : [exampleCommand(operation, site.baseUrl)],
  );
  return ['Examples:\n', '```sh', ...commands, '```'].join('\n');
}
