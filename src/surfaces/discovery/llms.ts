import { exampleCommand } from './example-request.ts';
import { isPaid, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from './site.ts';
import { guidance } from './words.ts';

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
    examples(site),
    '## API',
    [
      link('OpenAPI 3.1', '/openapi.json', 'every operation with schemas and examples'),
      link('API reference', '/docs.md', 'the same to read'),
      link('Everything in one file', '/llms-full.txt', 'this text and the API reference'),
      link('MCP server card', '/mcp/server-card', `the MCP server is at ${baseUrl}/mcp`),
    ].join('\n'),
    '## Payment and discovery',
    [
      link('x402 manifest', '/.well-known/x402', 'what is sold, with prices and payment requirements'),
      link('API catalogue', '/.well-known/api-catalog', 'RFC 9727 linkset'),
      link('AI catalogue', '/.well-known/ai-catalog.json', 'the MCP server for agent directories'),
    ].join('\n'),
    '## Optional',
    pages.map(({ title, path, description }) => link(title, path, description)).join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** The first free and the first paid operation, as commands. */
function examples(site: Site): string {
  const operations = routed(site);
  const chosen = [operations.find((operation) => !isPaid(operation)), operations.find(isPaid)];
  const commands = chosen
    .filter((operation): operation is Routed => operation !== undefined)
    .map((operation) => exampleCommand(operation, site.baseUrl));
  return ['Examples:\n', '```sh', ...commands, '```'].join('\n');
}
