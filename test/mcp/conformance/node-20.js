// The suite imports fs.globSync, which exists from Node.js 22 on, but the scenarios used here never call it.
import { register } from 'node:module';

const hooks = `
export const resolve = async (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/conformance/')
    ? { url: 'with-glob:fs', shortCircuit: true }
    : next(specifier, context);
export const load = async (url, context, next) =>
  url === 'with-glob:fs'
    ? {
        format: 'module',
        shortCircuit: true,
        source:
          "export * from 'node:fs'; export { default } from 'node:fs';" +
          "export const globSync = () => { throw new Error('fs.globSync needs Node.js 22'); };",
      }
    : next(url, context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
