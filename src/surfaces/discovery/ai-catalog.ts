import { routed, SITE_NAME, SITE_TAGS, type Site } from '../site.ts';
import { SERVER_CARD_PATH, SERVER_CARD_TYPE, serverCard } from './server-card.ts';

export const AI_CATALOG_TYPE = 'application/ai-catalog+json';

/** Representative queries, for semantic search: two to five. */
const MAX_QUERIES = 5;

/** The services for agents at this origin, for readers of ai-catalog.json and ard.json. */
export function aiCatalog(site: Site) {
  const { baseUrl } = site;
  const card = serverCard(baseUrl);
  return {
    specVersion: '1.0',
    host: { displayName: SITE_NAME, documentationUrl: `${baseUrl}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${card.name.split('/').at(-1)}`,
        displayName: `${SITE_NAME} MCP server`,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}${SERVER_CARD_PATH}`,
        description: card.description,
        representativeQueries: routed(site)
          .map(({ summary }) => summary)
          .slice(0, MAX_QUERIES),
        tags: SITE_TAGS,
      },
    ],
  };
}
