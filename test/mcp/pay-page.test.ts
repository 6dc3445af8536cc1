import { describe, expect, it } from 'vitest';
import { catalog } from '../support/app.ts';
import { BASE_URL, callTool, ERAS, request, testApp } from './endpoint.ts';

const app = testApp();
const paid = catalog.filter(({ tool, price }) => tool && price !== null);

/** Opens an address of the service as a browser does, and gives its status and page. */
async function opened(url: string): Promise<{ status: number; html: string }> {
  expect(url.startsWith(`${BASE_URL}/`)).toBe(true);
  const response = await app.get(url.slice(BASE_URL.length), { accept: 'text/html' });
  return { status: response.status, html: await response.text() };
}

describe.each(paid)('a model without a wallet that calls $name', ({ name, example, page, price }) => {
  const url = `${BASE_URL}${page?.path}`;

  it.each(ERAS)('%s: reads in the first sentence on which page a person can pay', async (era) => {
    const unpaid = await callTool(app, era, name, { arguments: example });
    const { detail, pay_page: payPage } = unpaid.structuredContent as Record<string, string>;
    expect(payPage).toBe(url);
    const sentence = `Your user can open ${url} to pay ${price?.usd} USD for this in a browser.`;
    expect(detail?.startsWith(sentence)).toBe(true);
    expect(unpaid.content[0]?.text.startsWith(`{"detail":"${sentence}`)).toBe(true);
  });

  it('finds the same page in the answer of pricing', async () => {
    const prices = (await callTool(app, 'modern', 'pricing')).structuredContent;
    expect(prices?.paid).toContainEqual(expect.objectContaining({ tool: name, pay_page: url }));
  });

  it('names a page that opens and asks for the payment', async () => {
    const { status, html } = await opened(url);
    expect(status).toBe(200);
    expect(html).toContain(`${page?.heading}`);
    expect(html).toContain(`USD ${price?.usd}`);
  });
});

it('the instructions of the server name a page that links to every page where a person can pay', async () => {
  const { body } = await request(app, 'modern', 'server/discover');
  const { instructions } = body.result as unknown as { instructions: string };
  const url = instructions.match(/https?:\/\/\S+/)?.[0] ?? 'none';
  expect(url).toBe(`${BASE_URL}/pricing`);
  const { status, html } = await opened(url);
  expect(status).toBe(200);
  for (const { page } of paid) expect(html).toContain(`href="${page?.path}"`);
});
