import type { Operation } from '../../src/catalog/operation.ts';

/** The price table of the README, from the catalog. */
export function priceTable(operations: readonly Operation[]): string {
  const rows = operations.flatMap(({ summary, route, name, tool, price }) =>
    route === null
      ? []
      : [
          `| ${summary} | \`${route.method} ${route.path}\`${route.alsoByPost ? ', or `POST`' : ''} | ${tool ? `\`${name}\`` : ''} | ${price ? `$${price.usd}` : 'free'} |`,
        ],
  );
  return [
    '| Operation | Over HTTP | MCP tool | Price |',
    '|---|---|---|---|',
    ...rows.map((row) => row.replace('|  |', '| |')),
  ].join('\n');
}

/** The text between `<!-- name -->` and `<!-- /name -->`. */
export function block(markdown: string, name: string): string {
  const [, inside] = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(markdown) ?? [];
  if (inside === undefined) throw new Error(`There is no block ${name}`);
  return inside.trim();
}

/** Values that differ in each run: hashes, nonces and ports. */
export const masked = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-f]{64}/g, '0xHASH')
    .replaceAll(/0x[0-9a-f]{8}…/g, '0xNONCE…')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
