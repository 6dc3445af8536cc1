import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const SVG = (width: number, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="80"><script>document.title="run"</script>${more}<rect width="${width}" height="80" fill="#1d4ed8"/></svg>`;

describe.skipIf(executablePath === undefined)('the logo and the color of a business', () => {
  const pages = pagesUnderTest({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${pages.url}/quote`);
    await page.locator('#form[novalidate]').waitFor();
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.locator('#f-items-0-unit_price').fill('450');
    await page.getByText('More', { exact: true }).click();
  });

  const choose = (name: string, mimeType: string, text: string) =>
    page.getByLabel('Your logo').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
  const logo = (one: Page) => one.locator('.sheet .logo');
  const copiedLink = async (): Promise<string> => {
    await page.getByRole('button', { name: /\blink for your client\b/ }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const asClient = async (link: string) => {
    const client = await page.context().newPage();
    await client.goto(link);
    await client.locator('.sheet').waitFor();
    return client;
  };

  it('are on the paper, stay on the device, and reach the client only if the owner agrees', async () => {
    await choose('logo.svg', 'image/svg+xml', SVG(900));
    await page.locator('.quote-paper .logo').waitFor();
    const data = (await page.locator('.quote-paper .logo').getAttribute('src')) ?? '';
    expect(data).toMatch(/^data:image\/(?:webp|png);base64,/);
    expect(data.length).toBeLessThanOrEqual(8_192);
    await expect.poll(() => page.title()).not.toBe('run');
    await page.getByLabel('Document color').selectOption('purple');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => logo(page).isVisible()).toBe(true);
    const without = await copiedLink();
    expect(without).not.toContain('data%3Aimage');
    await page.getByLabel('Show my logo to my client').check();
    const said = (await page.locator('#send').textContent()) ?? '';
    const longer = Number(/([\d,]+) characters longer/.exec(said)?.[1]?.replace(',', ''));
    const link = await copiedLink();
    expect(link.length - without.length).toBe(longer);
    let client = await asClient(without);
    await expect.poll(() => logo(client).count()).toBe(0);
    await expect.poll(() => client.locator('.sheet.purple').count()).toBe(1);
    await client.close();
    client = await asClient(link);
    await expect.poll(() => logo(client).getAttribute('src')).toBe(data);
    expect(await barriersOf(client)).toEqual([]);
    await client.emulateMedia({ media: 'print' });
    await expect.poll(() => logo(client).isVisible()).toBe(true);
    // A copy for editing does not keep the sender's logo and color.
    await client.emulateMedia({ media: 'screen' });
    await client.close();
    await page.reload();
    await page.locator('.quote-paper.purple .logo').waitFor();
    expect(pages.asked.filter((one) => /data|logo=/.test(one))).toEqual([]);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await expect.poll(() => page.locator('.quote-paper .logo').count()).toBe(0);
  });

  it('keep a noisy picture within the size limit, and report a file that is not a picture', async () => {
    const noise = Array.from(
      { length: 900 },
      (_, index) =>
        `<rect x="${(index % 30) * 10}" y="${Math.floor(index / 30) * 3}" width="10" height="3" fill="hsl(${(index * 137) % 360} 90% ${20 + ((index * 53) % 60)}%)"/>`,
    ).join('');
    await choose('noise.svg', 'image/svg+xml', SVG(300).replace(/<rect.*>/, `${noise}</svg>`));
    await page.locator('.quote-paper .logo').waitFor();
    const kept = await page.evaluate<string>('JSON.parse(localStorage["own-details"]).logo');
    expect(kept.length).toBeLessThanOrEqual(8_192);
    await choose('logo.png', 'image/png', 'no picture');
    await page.getByText('is not a picture that we can read').waitFor();
    await expect.poll(() => page.evaluate('JSON.parse(localStorage["own-details"]).logo')).toBe(kept);
  });

  it('are not put on the quote of another business', async () => {
    await choose('logo.svg', 'image/svg+xml', SVG(200));
    await page.locator('.quote-paper .logo').waitFor();
    await page.goto('about:blank');
    await page.goto(`${pages.url}/quote#items.unit_price=5&paper.business=Other+Works`);
    await page.locator('#form[novalidate]').waitFor();
    await expect.poll(() => page.getByLabel('Your business').inputValue()).toBe('Other Works');
    await expect.poll(() => page.locator('.logo').count()).toBe(0);
  });
});
