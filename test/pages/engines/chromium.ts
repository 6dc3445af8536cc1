import { launched } from '../../support/pages-under-test.ts';
import { asJson, type Engine, parsed, type Tab } from './engine.ts';

export async function openChromium(): Promise<Engine> {
  const browser = await launched();
  const context = await browser.newContext();
  const open = async (): Promise<Tab> => {
    const page = await context.newPage();
    return {
      goTo: async (url) => void (await page.goto(url)),
      reload: async () => void (await page.reload()),
      run: async (body) => parsed(await page.evaluate(asJson(body))),
      pdf: () => page.pdf(),
      close: () => page.close(),
    };
  };
  return { open, stop: () => browser.close() };
}
