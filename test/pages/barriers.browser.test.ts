import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const PHONE = { width: 360, height: 740 };
const LATE_FEE = '/late-invoice#amount=1250&due_date=2026-11-04&paid_date=2026-11-21&currency=GBP';
const QUOTE = '/quote#items.description=Design&items.quantity=2&items.unit_price=450&tax_percent=20';

type Act = (page: Page) => Promise<unknown>;
type State = { readonly what: string; readonly path: string; readonly act: Act; readonly hasNoScript?: true };

const openAll: Act = (page) =>
  page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
const press =
  (name: string): Act =>
  (page) =>
    page.getByRole('button', { name, exact: true }).click();
const shows =
  (selector: string): Act =>
  (page) =>
    page.locator(selector).first().waitFor();
const inTurn =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

/** Animations, which must stop if reduced motion is requested. */
const MOVING = `[...document.querySelectorAll('body, body *')].filter((one) => {
  const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one);
  return animationName !== 'none' || !/^0s(, 0s)*$/.test(transitionDuration) || scrollBehavior === 'smooth';
}).map((one) => one.outerHTML.slice(0, 80))`;

/** Each kind of page, some after an action of the user, in addition to the states that the other suites scan. */
const STATES: readonly State[] = [
  {
    what: 'a late invoice with statutory interest',
    path: `${LATE_FEE}&jurisdiction=GB`,
    act: inTurn(shows('#total'), openAll),
  },
  {
    what: 'a quote with every section open',
    path: QUOTE,
    act: inTurn(shows('#form[novalidate]'), openAll),
  },
  {
    what: 'a quote without its lines',
    path: '/quote',
    act: inTurn(press('Send'), shows('#faults a')),
  },
  {
    what: 'three options with every section open',
    path: '/quote#step=options&items.unit_price=5&better_adds=Lights&best_markup_percent=20&trade=Florist',
    act: inTurn(shows('#options-title'), openAll),
  },
  {
    what: 'a report without its business type',
    path: '/plan',
    act: inTurn(
      (page) => page.fill('#f-trade', 'Zzyzx'),
      openAll,
      (page) => page.getByRole('button', { name: /^Make my plan/ }).click(),
      shows('#faults a'),
    ),
  },
  {
    what: 'a search that finds nothing',
    path: '/tools#words=qqqq+wwww',
    act: shows('#found:has-text("No tool matches")'),
  },
  {
    what: 'a search with two ticked tools',
    path: '/tools#words=florist&ticked=brevo,listmonk',
    act: inTurn(openAll, shows('#compare')),
  },
  { what: 'a category', path: '/tools/category/invoicing', act: openAll },
  { what: 'a trade', path: '/quote/florist', act: openAll },
  { what: 'two tools side by side', path: '/tools/compare?id=brevo&id=listmonk', act: openAll },
  {
    what: 'a calculator without JavaScript',
    path: '/late-invoice?amount=x',
    act: shows('#faults a'),
    hasNoScript: true,
  },
  { what: 'prices', path: '/', act: openAll },
  ...[
    ...['/late-invoice', '/plan', '/tools/how-checked', '/tools/activepieces'],
    ...['/developers', '/docs', '/legal', '/problems/invalid-input'],
  ].map((path) => ({ what: path, path, act: shows('h1') })),
  { what: 'a page that does not exist', path: '/nowhere', act: shows('h1') },
  {
    what: 'the page of a paid route in a browser',
    path: '/v1/late-fee-notice?amount=1250&due_date=2026-11-04',
    act: shows('h1'),
  },
];

describe.skipIf(executablePath === undefined)('a page', () => {
  const pages = pagesUnderTest({ viewport: PHONE, locale: 'en-GB' });

  it.each(STATES)(
    'has no accessibility barrier in either color scheme: $what',
    async ({ path, act, hasNoScript }) => {
      const page = await pages.open({ permissions: ['clipboard-write'], reducedMotion: 'reduce' });
      // If scripts are switched off, no scan can run, so only the page's own scripts are left out.
      if (hasNoScript)
        await page.route('**/islands/**', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: '' }),
        );
      await page.goto(`${pages.url}${path}`);
      await act(page);
      // The browser reports an error status of a route as a failure.
      const statuses = pages.complaints.filter((text) => /status of 40[024]/.test(text)).length;
      expect(pages.complaints).toHaveLength(statuses);
      pages.complaints.length = 0;
      expect(await barriersOf(page)).toEqual([]);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await expect.poll(() => page.evaluate(MOVING)).toEqual([]);
    },
  );
});
