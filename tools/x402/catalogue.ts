import { fetchTool } from '../../scripts/tool.js';

fetchTool('x402');
export const {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  evaluateMetadataCompleteness,
  getL3,
  getOpenAPI,
  getProbe,
  getWarningsFor402Body,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForLegacyWellKnown,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  probeLegacyWellKnown,
  validatePaymentRequiredDetailed,
} = await import('@agentcash/discovery');
export type { OpenApiSource } from '@agentcash/discovery';
