import { inputSchema, outputSchema, type Schema } from '../../catalog/schema.ts';
import { exampleCommand } from '../discovery/inputs.ts';
import { paymentSteps, promises } from '../discovery/texts.ts';
import { problemPath, problemTypes } from '../problem.ts';
import { isPaid, networkName, type Routed, routed, SITE_NAME, type Site } from '../site.ts';
import type { Block, Page, Text } from './content.ts';

/** The API reference: every operation with its input, an example and its answer, and every problem. */
export function docsPage(site: Site): Page {
  const { baseUrl, terms, freeRequestsPerMinute } = site;
  return {
    path: '/docs',
    title: 'API reference',
    picture: 'developers',
    description: `Every operation of the ${SITE_NAME}, with prices, fields, examples and errors.`,
    blocks: [
      {
        text: [
          'Also as an ',
          { link: 'OpenAPI 3.1 document', href: '/openapi.json' },
          ', and over MCP at ',
          { code: `${baseUrl}/mcp` },
          ' with the same inputs and answers. For what to sign, and example programs, see ',
          { link: 'for developers and agents', href: '/developers' },
          `. Free requests: ${freeRequestsPerMinute} a minute from one address.`,
        ],
      },
      {
        list: [
          ...routed(site).map(
            (operation): Text => [
              { link: operation.title, href: `/docs#${operation.operationId}` },
              `: ${operation.route.method} ${operation.route.path}`,
            ],
          ),
          [{ link: 'How to pay', href: '/docs#pay' }],
          [{ link: 'Problems', href: '/docs#problems' }],
        ],
      },
      ...routed(site).flatMap((operation) => operationBlocks(operation, site)),
      { heading: 'How to pay', id: 'pay' },
      {
        text: `x402 version 2, scheme exact, USDC (${terms.asset}) on ${networkName(terms)} (${terms.network}), paid to ${terms.payTo}.`,
      },
      { steps: paymentSteps },
      { list: promises },
      { heading: 'Problems', id: 'problems' },
      {
        text: [
          'Errors are ',
          { code: 'application/problem+json' },
          ' with a stable ',
          { code: 'code' },
          ' and, for invalid input, every fault in ',
          { code: 'errors' },
          '. Nothing is charged if you get a problem. If the code is waiting, the payment of the request may still go through.',
        ],
      },
      {
        table: {
          head: ['Status', 'Code', 'Meaning', 'What to do'],
          rows: problemTypes.map(({ status, code, meaning, remedy }) => [
            String(status),
            [{ link: code, href: problemPath(code) }],
            meaning,
            remedy,
          ]),
        },
      },
    ],
  };
}

const BY_POST =
  'With POST, send the same parameters as fields of one JSON object, at the same price. They then stay out of addresses, and therefore out of logs. Both forms are the same request, so either one collects what the other paid for.';

function operationBlocks(operation: Routed, site: Site): Block[] {
  const { route, title, operationId, description, price, name, tool } = operation;
  return [
    { heading: title, id: operationId },
    { text: [{ code: `${route.method} ${route.path}` }, price === null ? ' · free' : ` · USD ${price.usd}`] },
    { text: description },
    ...(route.alsoByPost ? [{ text: BY_POST }] : []),
    ...(tool ? [{ text: ['MCP tool: ', { code: name }] }] : []),
    ...fieldTable(route.method === 'GET' ? 'Parameter' : 'Field', inputSchema(operation)),
    { code: exampleCommand(operation, site.baseUrl), language: 'sh' },
    { text: isPaid(operation) ? 'The answer, once paid:' : 'The answer:' },
    { code: JSON.stringify(site.answerOf(operation), null, 2), language: 'json' },
    ...fieldTable('Field of the answer', outputSchema(operation), false),
  ];
}

function fieldTable(head: string, schema: Schema, saysRequired = true): Block[] {
  const rows = fieldRows(schema, '', saysRequired);
  return rows.length === 0 ? [] : [{ table: { head: [head, 'Type', 'Meaning'], rows } }];
}

/** A row for each field, nested ones by their path: `items[].unit_price`. */
function fieldRows(schema: Schema, prefix: string, saysRequired: boolean): (readonly Text[])[] {
  const required = (saysRequired ? (schema.required ?? []) : []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const items = field.items as Schema | undefined;
    return [
      [[{ code: path }], typeText(field, required.includes(name)), String(field.description ?? '')],
      ...fieldRows(field, `${path}.`, saysRequired),
      ...(items ? fieldRows(items, `${path}[].`, saysRequired) : []),
    ];
  });
}

function typeText(field: Schema, isRequired: boolean): string {
  const branches = (field.anyOf as readonly Schema[] | undefined)?.map(({ type }) => type);
  const types = [field.type ?? branches ?? 'any'].flat().join(' or ');
  const choices = (field.enum as readonly string[] | undefined)?.join(', ');
  const fallback = field.default === undefined ? '' : `, default ${String(field.default)}`;
  return `${choices ?? types}${isRequired ? ', required' : ''}${fallback}`;
}
