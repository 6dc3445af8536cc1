import { fetchTool } from '../../scripts/tool.js';

fetchTool('x402');
export const { paymentMiddleware, x402ResourceServer } = await import('@x402/hono');
