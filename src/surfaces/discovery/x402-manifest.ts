import { release } from '../../platform/release.ts';
import { isPaid, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';

const releasedAt = `${release.day}T00:00:00Z`;

/**
 * What this origin sells, for x402 crawlers. One document that fits each of the known formats:
 * `version` and `resources` as texts (the first catalogues), `x402Version` and `kind` (draft-hawkins-x402-dns-discovery),
 * and `items` as facilitators list resources.
 */
export function x402Manifest(site: Site) {
  const { baseUrl, contactEmail, ownershipProof } = site;
  const paid = routed(site).filter(isPaid);
  const routes = paid.map(({ route }) => `${baseUrl}${route.path}`);
  const tools = site.operations.some((one) => one.tool && isPaid(one)) ? [`${baseUrl}/mcp`] : [];
  return {
    x402Version: 2,
    version: 1,
    kind: 'resource-server',
    name: SITE_NAME,
    description: SITE_SUMMARY,
    resources: [...routes, ...tools],
    ...(ownershipProof !== null && { ownershipProofs: [ownershipProof] }),
    instructions: `${baseUrl}/openapi.json is canonical. A valid request without payment is answered 402 with the price; invalid input is answered 400 and never charged.`,
    items: paid.map((operation) => item(operation, site)),
    openapi: `${baseUrl}/openapi.json`,
    docs: `${baseUrl}/llms.txt`,
    ...(contactEmail !== null && { contact: contactEmail }),
    updated: releasedAt,
  };
}

function item(operation: Routed, { challengeOf }: Site) {
  const { route, price, description, summary } = operation;
  const { resource, accepts, extensions } = challengeOf(operation).required('payment_required');
  const { bazaar } = extensions as { bazaar: { info: object; schema: object } };
  return {
    resource: resource.url,
    type: 'http',
    method: route.method,
    x402Version: 2,
    description: summary,
    mimeType: resource.mimeType,
    price: { amount: price?.usd, currency: 'USD' },
    accepts,
    metadata: { description, ...bazaar.info, schema: bazaar.schema },
    lastUpdated: releasedAt,
  };
}
