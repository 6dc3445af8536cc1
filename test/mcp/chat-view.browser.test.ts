import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { AxeBuilder, type Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

type Json = Record<string, unknown>;
type Content = { readonly mimeType: string; readonly text: string };

// The policy that a host must enforce for a view that declares no domains.
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";

/** The script of a host that uses the official bridge. */
async function hostScript(): Promise<string> {
  const bundle = await rolldown({ input: join(fetchTool('mcp-apps'), 'host.js'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife' });
  await bundle.close();
  return output[0].code;
}

describe.skipIf(executablePath === undefined)('an answer inside a chat', () => {
  const pages = pagesUnderTest({ viewport: { width: 700, height: 900 } });
  let script: string;
  beforeAll(async () => {
    script = await hostScript();
  });

  async function rpc<Result>(method: string, params: Json): Promise<Result> {
    const reply = await fetch(`${pages.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await reply.json()) as { result: Result }).result;
  }

  /** The view in a tool's document. */
  async function viewOf(tool: string): Promise<string> {
    const { tools } = await rpc<{ tools: { name: string; _meta?: { ui?: { resourceUri: string } } }[] }>(
      'tools/list',
      {},
    );
    const uri = tools.find(({ name }) => name === tool)?._meta?.ui?.resourceUri ?? '';
    const { contents } = await rpc<{ contents: [Content] }>('resources/read', { uri });
    expect(contents[0].mimeType).toBe('text/html;profile=mcp-app');
    return contents[0].text.replace(
      '<head>',
      `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    );
  }

  type Options = { theme?: string; opensLinks?: boolean; width?: number; result?: unknown };

  /** Calls a tool, and shows its answer as a chat does. */
  async function shown(tool: string, input: Json, options: Options = {}): Promise<Page> {
    const page = await pages.open({ viewport: { width: options.width ?? 700, height: 900 } });
    await page.route('**/a-chat', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><title>Chat</title><main><h1>Chat</h1><iframe title="Answer" sandbox="allow-scripts" style="width:100%;border:0"></iframe></main><script>${script.replaceAll('</script', '<\\/script')}</script></html>`,
      }),
    );
    await page.goto(`${pages.url}/a-chat`);
    const html = await viewOf(tool);
    const result = options.result ?? (await rpc('tools/call', { name: tool, arguments: input }));
    const { theme = 'light', opensLinks = true } = options;
    await page.evaluate(`window.showView(${JSON.stringify({ html, input, result, theme, opensLinks })})`);
    return page;
  }
  const frame = (page: Page) => page.frameLocator('iframe');
  const opened = (page: Page) => page.evaluate('window.opened') as Promise<string[]>;

  const QUOTE = {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', unit_price: 290 },
    ],
    discount_percent: 5,
    tax_percent: 8.25,
    currency: 'USD',
  };
  const FEE = { amount: 1250, due_date: '2026-11-04', paid_date: '2026-11-21', currency: 'GBP' };

  it('shows a quote with its totals', async () => {
    const page = await shown('quote_totals', QUOTE);
    const sheet = frame(page).getByRole('article', { name: 'Quote' });
    await sheet.waitFor();
    const text = await sheet.textContent();
    for (const part of ['Garden design', '$900.00', '$1,190.00', '−$59.50', '$93.27', '$1,223.77'])
      expect(text).toContain(part);
    await expect.poll(() => frame(page).getByRole('status').textContent()).toBe('The document is shown.');
  });

  it('shows a late fee with its formula and the cost of each further day', async () => {
    const page = await shown('late_fee', FEE);
    await frame(page).getByRole('article', { name: 'Amount due' }).waitFor();
    const text = await frame(page).getByRole('main').textContent();
    for (const part of [
      '£1,260.63',
      '£10.63 late fee',
      '17 days late',
      '£0.63 a day',
      '1250.00 x 1.5% x 17 / 30 = 10.63',
    ])
      expect(text).toContain(part);
  });

  it('asks the host to open the page that continues with the same input', async () => {
    const page = await shown('quote_totals', QUOTE);
    await frame(page).getByRole('link', { name: 'Finish and print this quote' }).click();
    await expect.poll(() => opened(page)).toHaveLength(1);
    const [quote = ''] = await opened(page);
    expect(new URL(quote).pathname).toBe('/quote');
    const pairs = new URLSearchParams(new URL(quote).hash.slice(1));
    expect(pairs.getAll('items.unit_price')).toEqual(['450', '290']);
    expect(pairs.get('tax_percent')).toBe('8.25');
    await page.goto(quote.replace(/^https?:\/\/[^/]+/, pages.url));
    await expect.poll(() => page.locator('body').textContent()).toContain('$1,223.77');
    const fee = await shown('late_fee', FEE);
    await frame(fee).getByRole('link', { name: 'Write the reminder letter' }).click();
    await expect.poll(() => opened(fee)).toHaveLength(1);
    expect((await opened(fee))[0]).toMatch(/\/late-invoice#.*amount=1250.*due_date=2026-11-04/);
  });

  it('shows the address of the page for the same input if the host does not open it', async () => {
    const page = await shown('late_fee', FEE, { opensLinks: false });
    await frame(page).getByRole('link').click();
    const alert = frame(page).getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toContain('/late-invoice#amount=1250');
  });

  it('shows input as text, never as markup', async () => {
    const description =
      '<img src=x onerror="document.title=\'run\'"></script><script>document.title="run"</script>';
    const page = await shown('quote_totals', { items: [{ description, unit_price: 1 }] });
    const sheet = frame(page).getByRole('article', { name: 'Quote' });
    await sheet.waitFor();
    await expect.poll(() => sheet.textContent()).toContain('<script>document.title="run"</script>');
    await expect.poll(() => sheet.locator('img, script').count()).toBe(0);
    await expect.poll(() => page.frames()[1]?.title()).toBe('Small-Business Calculator');
  });

  it('shows a message if it has no document', async () => {
    const problem = await shown('late_fee', { amount: 'much' });
    const status = (page: Page) => frame(page).getByText('There is no document to show for this result.');
    await status(problem).waitFor();
    const other = { content: [{ type: 'text', text: '{"items":[],"tax_breakdown":[]}' }] };
    await status(await shown('quote_totals', {}, { result: other })).waitFor();
  });

  it('is shown even if it came only as text', async () => {
    const { content } = await rpc<{ content: unknown }>('tools/call', { name: 'late_fee', arguments: FEE });
    const page = await shown('late_fee', FEE, { result: { content } });
    await frame(page).getByRole('article', { name: 'Amount due' }).waitFor();
  });

  it('follows the theme of the host, even when the theme changes', async () => {
    const page = await shown('late_fee', FEE, { theme: 'dark' });
    await frame(page).getByRole('article').waitFor();
    const ground = () => page.frames()[1]?.evaluate('getComputedStyle(document.body).backgroundColor');
    await expect.poll(() => ground()).toBe('rgb(16, 18, 21)');
    await page.evaluate(`window.bridge.setHostContext({ theme: 'light', displayMode: 'inline' })`);
    await expect.poll(ground).toBe('rgb(244, 245, 247)');
  });

  it.each(['light', 'dark'])(
    'is accessible in the %s theme on narrow and wide screens, and as high as its content',
    async (theme) => {
      const cases = [
        ['quote_totals', QUOTE, 390],
        ['late_fee', FEE, 700],
      ] as const;
      for (const [tool, input, width] of cases) {
        const page = await shown(tool, input, { theme, width });
        await frame(page).getByRole('article').waitFor();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
        const isWhole =
          'document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth';
        await expect.poll(() => page.frames()[1]?.evaluate(isWhole)).toBe(true);
      }
    },
  );

  it('works with only the keyboard', async () => {
    const page = await shown('quote_totals', QUOTE);
    await frame(page).getByRole('article').waitFor();
    await frame(page).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => opened(page)).toHaveLength(1);
  });
});
