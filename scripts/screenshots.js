// `npm run screenshots [folder]`: takes a picture of every page at phone and desktop width, light and dark, with a
// result, a price and a purchase. They are for review; nothing is compared. The default folder is build/screenshots.
import './node-version.js';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './browser.js';
import { optionsOf } from './options.js';
import { REAL, served } from './served.js';

const USAGE = `Usage: npm run screenshots [-- FOLDER]
Takes a screenshot of every page, on phone and desktop widths, light and dark. The folder is build/screenshots by default.`;
const [folder = 'build/screenshots'] = optionsOf(USAGE, { allowPositionals: true }).positionals;
const WIDTHS = [360, 1280];
const SCHEMES = ['light', 'dark'];

const letter = { amount: '1250', due_date: '2026-11-04', client_name: 'Acme Ltd' };

const askForLetter = async (page) => {
  await page.locator('#form[novalidate]').waitFor();
  for (const [name, value] of Object.entries(letter)) await page.fill(`#f-${name}`, value);
  await page.getByRole('button', { name: /^Get the letter/ }).click();
  await page.locator('#pay h2').filter({ hasNotText: 'Checking' }).waitFor();
};
const pay = async (page) => {
  await page.getByRole('button', { name: /USDC$/ }).click();
  await page.locator('#result .sheet').first().waitFor();
};
const buyLetter = async (page) => {
  await askForLetter(page);
  await pay(page);
};
/** Buys the example that the page fills in. */
const priceAndPay = async (page) => {
  await page.getByRole('button', { name: /^(See the price|Make my plan)/ }).click();
  await pay(page);
};

/** Pages after user actions. */
const STATES = [
  {
    name: 'late-fee-result',
    path: '/late-invoice#amount=1250&due_date=2026-11-04&paid_date=2026-11-21&rate=1.5',
    act: (page) => page.locator('#total').waitFor(),
  },
  {
    name: 'quote-result',
    path: '/quote#items.description=Garden+design&items.quantity=2&items.unit_price=450&tax_percent=8.25',
    act: (page) => page.locator('#form[novalidate]').waitFor(),
  },
  {
    name: 'quote-send',
    path: '/quote#items.description=Garden+design&items.quantity=2&items.unit_price=450&tax_percent=8.25',
    act: (page) => page.getByRole('button', { name: 'Send' }).click(),
  },
  {
    name: 'late-fee-faults',
    path: '/late-invoice',
    act: async (page) => {
      await page.fill('#f-due_date', '2026-11-04');
      await page.locator('#f-amount').press('Enter');
    },
  },
  { name: 'letter-price', path: '/late-invoice', act: askForLetter },
  { name: 'letter-bought', path: '/late-invoice', act: buyLetter },
  {
    name: 'pack-bought',
    path: '/quote#step=options&items.description=Design&items.unit_price=450&better_adds=Lights&best_adds=Bench&better_markup_percent=20',
    act: priceAndPay,
  },
  { name: 'report-bought', path: '/plan#trade=Florist', act: priceAndPay },
  {
    name: 'quote-read',
    path: '/quote#items.description=Design&items.unit_price=450&paper.business=Green+Gardens&paper.issued_on=2026-11-21',
    act: (page) => page.locator('.reading .sheet').waitFor(),
  },
];

/** All pages, with only one of each kind from the directory. */
const pathsOf = async (url) => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  const kinds = new Map(all.map((path) => [path.split('/').slice(0, -1).join('/') || path, path]));
  const few = all.filter(
    (path) => path.split('/').length === 2 || kinds.get(path.split('/').slice(0, -1).join('/')) === path,
  );
  return [
    ...few,
    '/problems/payment_required',
    '/nowhere',
    '/v1/late-fee-notice?amount=1&due_date=2026-01-01',
  ];
};

const fileName = (path) => path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home';

const browser = await launchChromium();
mkdirSync(folder, { recursive: true });
const play = await served({});
const real = await served(REAL);
const pages = (await pathsOf(real)).map((path) => ({ name: fileName(path), url: real + path }));
const shown = [...pages, ...STATES.map((state) => ({ ...state, url: play + state.path }))];

async function take({ name, url, act }, { width, colorScheme }) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  try {
    const page = await context.newPage();
    await page.goto(url);
    for (const folded of await page.locator('details.paying').all())
      await folded.evaluate((one) => {
        one.open = true;
      });
    await act?.(page);
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  } finally {
    await context.close();
  }
}

let taken = 0;
for (const width of WIDTHS)
  for (const colorScheme of SCHEMES)
    for (const one of shown) {
      const look = { width, colorScheme };
      try {
        // Other work on the machine may delay a page, so a failed picture is repeated once.
        await take(one, look).catch(() => take(one, look));
        taken += 1;
      } catch (error) {
        console.error(`${one.name} at ${width} in ${colorScheme}: ${String(error).split('\n')[0]}`);
        process.exitCode = 1;
      }
    }
await browser.close();
console.log(`${taken} pictures in ${folder}`);
process.exit();
