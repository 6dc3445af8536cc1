import { methodsOf } from '../../../catalog/operation.ts';
import { release } from '../../../platform/release.ts';
import { isPaid, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../../site.ts';
import { guidance } from '../guidance.ts';
import { ALSO_TAKEN } from '../unsaid-rules.ts';
import { headers, parameters, schemas, sharedResponses } from './components.ts';
import { codeSchemas } from './inputs.ts';
import { FREE_TAG, operationObject, operationSchemas, PAID_TAG } from './operation.ts';

/** The HTTP API as an OpenAPI 3.1.0 document. */
export function openapi(site: Site) {
  const operations = routed(site);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { route } = operation;
    for (const method of methodsOf(route))
      paths[route.path] = {
        ...paths[route.path],
        [method.toLowerCase()]: operationObject(operation, method, site),
      };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: info(site),
    servers: [{ url: site.baseUrl }],
    externalDocs: { description: 'The same for language models', url: `${site.baseUrl}/llms.txt` },
    tags: tags(site),
    'x-agentcash-guidance': { llmsTxtUrl: `${site.baseUrl}/llms.txt` },
    'x-service-info': {
      categories: ['finance', 'small-business'],
      docs: {
        homepage: `${site.baseUrl}/`,
        apiReference: `${site.baseUrl}/docs`,
        llms: `${site.baseUrl}/llms.txt`,
      },
    },
    ...ownership(site),
    paths,
    components: {
      schemas: Object.assign({}, ...operations.map(operationSchemas), codeSchemas(), schemas()),
      headers: headers(),
      ...(operations.some(isPaid) && { parameters: parameters() }),
      responses: sharedResponses(site),
    },
  };
}

function info(site: Site) {
  const { baseUrl, contactEmail } = site;
  return {
    title: SITE_NAME,
    version: release.version,
    summary: SITE_SUMMARY,
    description: `${SITE_SUMMARY} No account is needed and nothing a caller sends is stored. Money is a number with the currency's minor digits; dates are YYYY-MM-DD. Fields may be added to answers, never renamed. ${ALSO_TAKEN}`,
    termsOfService: `${baseUrl}/terms`,
    contact: { name: SITE_NAME, url: `${baseUrl}/`, ...(contactEmail !== null && { email: contactEmail }) },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    'x-guidance': guidance(site),
  };
}

const tags = ({ freeRequestsPerMinute, terms }: Site) => [
  { name: FREE_TAG, description: `Free, ${freeRequestsPerMinute} requests a minute for one address.` },
  {
    name: PAID_TAG,
    description: `Paid per request in USDC on ${terms.network} through x402 version 2, without an account.`,
  },
];

/** The proof that the payee runs this origin, under each name that readers look for. */
const ownership = ({ ownershipProof }: Site) =>
  ownershipProof === null
    ? {}
    : {
        'x-discovery': { ownershipProofs: [ownershipProof] },
        'x-agentcash-provenance': { ownershipProofs: [ownershipProof] },
      };
