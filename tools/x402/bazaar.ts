import { fetchTool } from '../../scripts/tool.js';

fetchTool('x402');
export const {
  extractDiscoveryInfoFromExtension,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} = await import('@x402/extensions/bazaar');
