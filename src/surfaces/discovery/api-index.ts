import { methodsOf } from '../../catalog/operation.ts';
import { release } from '../../platform/release.ts';
import { routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';

/** What a client finds at the root of the API: every operation with its address and price. */
export function apiIndex(site: Site) {
  const { baseUrl } = site;
  return {
    name: SITE_NAME,
    version: release.version,
    summary: SITE_SUMMARY,
    operations: routed(site).map(({ operationId, route, title, summary, price }) => ({
      operation_id: operationId,
      method: route.method,
      methods: methodsOf(route),
      url: `${baseUrl}${route.path}`,
      title,
      summary,
      price_usd: price?.usd ?? null,
    })),
    openapi: `${baseUrl}/openapi.json`,
    docs: `${baseUrl}/docs`,
    mcp: `${baseUrl}/mcp`,
    llms: `${baseUrl}/llms.txt`,
  };
}
