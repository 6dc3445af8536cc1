import type { Site } from '../site.ts';
import { SERVER_CARD_PATH, SERVER_CARD_TYPE } from './server-card.ts';

/** Media type of an api-catalog (RFC 9727, 4.2). */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const API_CATALOG_LINK =
  '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"';

/** The APIs of this origin as a linkset (RFC 9264) with the relations of RFC 8631. */
export function apiCatalog({ baseUrl }: Pick<Site, 'baseUrl'>) {
  const link = (path: string, type: string, title?: string) => ({
    href: `${baseUrl}${path}`,
    type,
    ...(title !== undefined && { title }),
  });
  const legal = {
    status: [link('/healthz', 'application/json')],
    'terms-of-service': [link('/terms', 'text/html')],
    'privacy-policy': [link('/privacy', 'text/html')],
  };
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [
          { href: `${baseUrl}/v1`, title: 'HTTP API' },
          { href: `${baseUrl}/mcp`, title: 'MCP server' },
        ],
      },
      {
        anchor: `${baseUrl}/v1`,
        'service-desc': [link('/openapi.json', 'application/json', 'OpenAPI 3.1')],
        'service-doc': [
          link('/docs', 'text/html', 'API reference'),
          link('/developers', 'text/html', 'For developers and agents'),
          link('/llms.txt', 'text/plain', 'The same for language models'),
        ],
        'service-meta': [link('/.well-known/x402', 'application/json', 'x402 payment manifest')],
        ...legal,
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-desc': [link(SERVER_CARD_PATH, SERVER_CARD_TYPE, 'MCP server card')],
        'service-doc': [link('/docs', 'text/html', 'API reference')],
        ...legal,
      },
    ],
  };
}
