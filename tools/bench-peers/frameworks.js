import { fetchTool } from '../../scripts/tool.js';

fetchTool('bench-peers');
export const { default: express } = await import('express');
export const { default: fastify } = await import('fastify');
export const { paymentMiddleware } = await import('@x402/express');
