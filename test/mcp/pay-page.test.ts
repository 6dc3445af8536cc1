import { describe, expect, it } from 'vitest';
import { pageAddress } from '../../src/catalog/operation.ts';
import { formValues, rawValues } from '../../src/surfaces/pages/form-values.ts';
import { callExample } from '../discovery/support.ts';
import { catalog } from '../support/app.ts';
import { BASE_URL, callTool, ERAS, request, testApp } from './endpoint.ts';

const app = testApp();
const paid = catalog.filter(({ tool, price }) => tool && price !== null);

/** Opens an address of the service as a browser would; returns its status and page. */
async function opened(url: string): Promise<{ status: number; html: string }> {
  expect(url.startsWith(`${BASE_URL}/`)).toBe(true);
  const response = await app.get(url.slice(BASE_URL.length), { accept: 'text/html' });
  return { status: response.status, html: await response.text() };
}

const MAX_CHALLENGE_BYTES = 4_500;

/** Converts an input to the way in which a form stores it: strings, with a list of words as one string. */
const asText = (input: object): unknown =>
  JSON.parse(JSON.stringify(input), (_key, value) => {
    if (typeof value !== 'object') return String(value);
    return Array.isArray(value) && typeof value[0] === 'string' ? value.join('\n') : value;
  });

describe.each(paid)('a model that calls $name without a wallet', (operation) => {
  const { name, example, page, price } = operation;
  const url = `${BASE_URL}${page && pageAddress(page)}`;

  it.each(ERAS)(
    'reads the price and the payment page first, in the text and in structuredContent (%s)',
    async (era) => {
      const unpaid = await callTool(app, era, name, { arguments: example });
      const { pay_page: payPage, detail } = unpaid.structuredContent as Record<string, string>;
      expect(payPage?.startsWith(url)).toBe(true);
      expect(Object.keys(unpaid.structuredContent ?? {}).slice(0, 3)).toEqual([
        'price_usd',
        'pay_page',
        'detail',
      ]);
      expect(detail).toContain('Your user can open pay_page');
      const start = `{"price_usd":"${price?.usd}","pay_page":"${payPage}"`;
      expect(unpaid.content[0]?.text.startsWith(start)).toBe(true);
    },
  );

  it('gets a link for its user that fills the form, with the input after the #', async () => {
    const unpaid = await callTool(app, 'modern', name, { arguments: example });
    const { pay_page: link } = unpaid.structuredContent as { pay_page: string };
    const pairs = new URLSearchParams(link.split('#')[1]);
    // The link opens the operation's step on the page.
    expect(pairs.get('step')).toBe(page?.step ?? null);
    pairs.delete('step');
    expect(asText(rawValues(formValues(pairs)))).toEqual(asText(example));
    const { html } = await opened(link.replace('#', '?'));
    // Each name belongs to a field of the form, or to a value that the script of a later step reads.
    for (const field of Object.keys(example)) expect(html).toMatch(new RegExp(`name="${field}|"${field}":`));
  });

  it('also gets the address of the page over HTTP, without the input, and no error repeats the input', async () => {
    const unpaid = await callExample(app, operation);
    expect(await unpaid.json()).toMatchObject({ pay_page: url });
  });

  it('gets a short challenge that has the typed data only in its text', async () => {
    const unpaid = await callTool(app, 'modern', name, { arguments: example });
    const { content, structuredContent = {}, _meta = {} } = unpaid;
    expect(JSON.stringify(unpaid).length).toBeLessThanOrEqual(MAX_CHALLENGE_BYTES);
    expect(Object.keys(JSON.parse(content[0]?.text ?? ''))).toEqual(
      expect.arrayContaining([...Object.keys(structuredContent), 'how_to_pay', 'sign', 'payment_payload']),
    );
    expect(structuredContent).not.toHaveProperty('sign');
    expect(structuredContent).toMatchObject(_meta['x402/error'] as object);
    expect(_meta['x402/error']).not.toHaveProperty('pay_page');
  });

  it('finds the same page in the answer of the pricing tool', async () => {
    const prices = (await callTool(app, 'modern', 'pricing')).structuredContent;
    expect(prices?.paid).toContainEqual(expect.objectContaining({ tool: name, pay_page: url }));
  });

  it('gets a page that opens and asks for the payment', async () => {
    const { status, html } = await opened(url);
    expect(status).toBe(200);
    // The letter and the options are the last step of a page that has another heading.
    const asks: Readonly<Record<string, string>> = {
      late_fee_notice: 'Get the letter',
      quote_pack: '&quot;operation&quot;:&quot;quote_pack&quot;',
    };
    expect(html).toContain(asks[name] ?? `${page?.heading}`);
    expect(html).toContain(`${price?.usd}`);
  });
});

it('the link to the payment page omits an input that is too long for an address', async () => {
  const items = Array.from({ length: 60 }, () => ({ description: 'x'.repeat(50), unit_price: 5 }));
  const unpaid = await callTool(app, 'modern', 'quote_pack', { arguments: { items, tax_name: null } });
  expect(unpaid.structuredContent?.pay_page).toBe(`${BASE_URL}/quote#step=options`);
});

it('the instructions of the server name a page that links to every page where a person can pay', async () => {
  const { body } = await request(app, 'modern', 'server/discover');
  const { instructions } = body.result as unknown as { instructions: string };
  const url = instructions.match(/https?:\/\/\S+/)?.[0] ?? 'none';
  expect(url).toBe(`${BASE_URL}/`);
  const { status, html } = await opened(url);
  expect(status).toBe(200);
  for (const { page } of paid) expect(html).toContain(`href="${page?.path}"`);
});
