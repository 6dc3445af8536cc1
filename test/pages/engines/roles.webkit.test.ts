import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltService, startBuilt } from '../../support/built-service.ts';
import { until } from './engine.ts';
import { openWebKit, type WebKitTab } from './webkit.ts';

const { WEBKIT_PATH = '', XVFB_PATH = '' } = process.env;

const QUOTE =
  '/quote#items.description=Design&items.quantity=2&items.unit_price=450&items.description=Plants&items.unit_price=5&tax_percent=20&currency=GBP';
const COMPARED = '/tools/compare?id=activepieces&id=wave-starter&id=zoho-invoice-free';

/** What a screen reader should announce for the parts of a table. */
const ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  ':is(thead, tbody)': 'rowgroup',
  tr: 'row',
  'thead th': 'columnheader',
  'tbody th': 'rowheader',
  td: 'cell',
};

describe.skipIf(WEBKIT_PATH === '' || XVFB_PATH === '')('on a phone, WebKit reports', () => {
  let service: BuiltService;
  let engine: Awaited<ReturnType<typeof openWebKit>>;
  let tab: WebKitTab;

  beforeAll(async () => {
    service = await startBuilt();
    engine = await openWebKit(WEBKIT_PATH, XVFB_PATH);
    tab = await engine.open();
    await tab.resize(360, 740);
  });
  afterAll(async () => {
    await engine?.stop();
    service?.stop();
  });

  it.each([
    ['the lines of a quote', QUOTE, '.sheet .lined'],
    ['how a quote was reached', QUOTE, '.steps .last-long'],
    ['tools side by side', COMPARED, '.compared'],
  ])('that a table is a table even if its rows have another layout: %s', async (_what, path, place) => {
    await tab.goTo(service.url + path);
    await until(`${place} to be there`, () =>
      tab.run(`return document.querySelector('${place} td') !== null`),
    );
    await expect.poll(() => tab.run('return innerWidth')).toBeLessThan(540);
    await expect
      .poll(() => tab.run(`return getComputedStyle(document.querySelector('${place} tbody tr')).display`))
      .not.toBe('table-row');
    for (const [part, role] of Object.entries(ROLES)) {
      const told = await tab.roles(`${place} ${part}`);
      expect([part, told.length > 0, [...new Set(told)]]).toEqual([part, true, [role]]);
    }
  });

  it('that a list without bullets is a list', async () => {
    for (const [path, list] of [
      ['/tools', 'ul.needs'],
      ['/tools', 'ul.trades'],
      ['/tools/category/invoicing', 'ul.tools'],
    ] as const) {
      await tab.goTo(service.url + path);
      expect([list, new Set(await tab.roles(list))]).toEqual([list, new Set(['list'])]);
    }
  });
});
