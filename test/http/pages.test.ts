import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_TEXTS } from '../../src/surfaces/pages/form-texts.ts';
import { catalog, fakePayment, NOON, testApp } from '../support/app.ts';
import { factsIn, inOrder } from '../support/facts.ts';

const app = testApp();
const calculators = ['/late-invoice', '/quote', '/plan'];
const page = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.get(path, headers);
  return { response, status: response.status, html: await response.text() };
};
const figures = (html: string) =>
  [
    ...(/<dl class="sums">.*?<\/dl>/s.exec(html)?.[0] ?? '').matchAll(
      /<dt>(.*?)<\/dt><dd><bdi>(.*?)<\/bdi>/g,
    ),
  ].map(([, label, value]) => [label, value]);
/** Returns the total of a quote. */
const total = (html: string) => /<strong id="total"[^>]*>(.*?)<\/strong>/.exec(html)?.[1];
const linesIn = (html: string) => html.match(/class="quote-line"/g)?.length;
const faults = (html: string) =>
  [...(/<div id="faults".*?<\/div>/s.exec(html)?.[0] ?? '').matchAll(/<li>(?:<a[^>]*>)?(.*?)<\//g)].map(
    ([, text]) => text,
  );

describe('a calculator without JavaScript', () => {
  it('answers with the same figures as the API', async () => {
    const query =
      'amount=1250&currency=USD&due_date=2026-11-04&paid_date=2026-11-21&rate=1.5&rate_type=monthly_percent';
    const { status, html, response } = await page(`/late-invoice?${query}`);
    expect(status).toBe(200);
    expect(figures(html)).toEqual([
      ['Invoice', '$1,250.00'],
      ['Late fee', '$10.63'],
      ['Total due', '$1,260.63'],
    ]);
    expect(html).toContain('1250.00 x 1.5% x 17 / 30 = 10.63');
    expect(html).toContain('name="amount" aria-describedby="f-amount-fault"');
    expect(html).toMatch(/<input[^>]*value="1250"[^>]*name="amount"/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('accepts lines, and drops empty ones', async () => {
    const line = (description: string, quantity: string, price: string) =>
      new URLSearchParams([
        ['items.description', description],
        ['items.quantity', quantity],
        ['items.unit_price', price],
      ]).toString();
    const query = [line('Lawn', '2', '40.50'), line('', '', ''), line('Hedge', '', '12')].join('&');
    const { status, html } = await page(`/quote?${query}&tax_percent=ten&currency=eur&valid_days=`);
    expect(status).toBe(400);
    expect(faults(html)).toEqual([expect.stringMatching(/^“Tax” .* 8\.25$/)]);
    const good = await page(`/quote?${query}&tax_percent=10&currency=eur&valid_days=`);
    expect([good.status, total(good.html)]).toEqual([200, '€102.30']);
  });

  it('reads numbers as people write them, and asks about a number with two meanings', async () => {
    const late = (query: string, language?: string) =>
      page(`/late-invoice?due_date=2026-11-04&paid_date=2026-11-21&${query}`, {
        ...(language !== undefined && { 'accept-language': language }),
      });
    for (const [written, language] of [
      ['£1,250.00', undefined],
      ['1.250,00&currency=GBP', undefined],
      ['£1,250', 'en-GB,en;q=0.9'],
      ['£1.250', 'de-DE,de;q=0.9'],
    ] as const)
      expect(figures((await late(`amount=${written}`, language)).html)[2]).toEqual([
        'Total due',
        '£1,260.63',
      ]);
    const unsure = await late('amount=1,250');
    expect([unsure.status, faults(unsure.html)]).toEqual([
      400,
      [expect.stringMatching(/^“.*” .*\b1\.25 or 1250\b.*\?$/)],
    ]);
    const other = await late('amount=£5&currency=USD');
    expect(faults(other.html).map(factsIn)).toEqual([['USD']]);
  });

  it('shows every fault at once in words, together with the typed values', async () => {
    const { status, html } = await page(
      '/late-invoice?amount=twelve&due_date=2026-02-30&rate=11&rate_type=daily_percent',
    );
    expect(status).toBe(400);
    const told = faults(html);
    expect(told).toHaveLength(3);
    expect(factsIn(told[0])).toEqual(['1250.00']);
    expect(told[1]?.startsWith(`“${FIELD_TEXTS.due_date?.label}” `)).toBe(true);
    expect(factsIn(told[2])).toEqual(['10']);
    expect(html).toMatch(/<input[^>]*value="twelve"/);
    expect(html).toMatch(/<title>[^<]+: Late invoice · /);
  });

  it('adds lines without calculating', async () => {
    const { status, html } = await page(
      '/quote?items.description=Lawn&items.quantity=&items.unit_price=&rows=6',
    );
    expect(status).toBe(200);
    expect(linesIn(html)).toBe(6);
    expect(faults(html)).toEqual([]);
    expect(linesIn((await page('/quote?rows=100000')).html)).toBe(100);
    expect(linesIn((await page('/quote?rows=x')).html)).toBe(3);
  });

  it('ignores parameters that campaigns add to an address', async () => {
    const { status, html, response } = await page('/late-invoice?utm_source=mail&fbclid=1');
    expect(status).toBe(200);
    expect(faults(html)).toEqual([]);
    expect(response.headers.get('etag')).toMatch(/^"/);
  });

  it('accepts a hundred long lines as a body, and no other body', async () => {
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      app.http.request('/quote', { method: 'POST', headers: { 'content-type': type }, body });
    const lines = (count: number, length: number) =>
      new URLSearchParams(
        Array.from({ length: count }, (): [string, string][] => [
          ['items.description', 'x'.repeat(length)],
          ['items.quantity', ''],
          ['items.unit_price', '1.25'],
        ]).flat(),
      ).toString();
    const all = await post(lines(100, 200));
    expect([all.status, total(await all.text())]).toEqual([200, '$125.00']);
    expect(faults(await (await post(lines(101, 5))).text())).toEqual([
      expect.stringMatching(inOrder(`“${FIELD_TEXTS.items?.label}” `, '1', '100')),
    ]);
    expect((await post(lines(100, 900))).status).toBe(413);
    expect((await post('{"items":[]}', 'application/json')).status).toBe(415);
    const put = await app.http.request('/quote', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  it('counts requests for more lines before their body is read, and shows nothing of a body that is refused', async () => {
    const busy = testApp({ freeRequestsPerMinute: 2 });
    const form = (body: string, type = 'application/x-www-form-urlencoded') =>
      busy.http.request('/quote', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await busy.get('/quote?rows=100')).status).toBe(200);
    expect((await form('rows=6')).status).toBe(200);
    for (const [refused, says] of [
      [await busy.get('/quote?rows=100'), /\baddress of this page\b/],
      [await form('rows=100&currency=EUR'), /\bstay on this page\b/],
    ] as const) {
      expect(refused.status).toBe(429);
      const html = await refused.text();
      expect(html).toMatch(says);
      expect(html).not.toContain('data-row');
    }
    expect((await form('{}', 'application/json')).status).toBe(429);
    expect((await busy.get('/quote')).status).toBe(200);
  });

  it('of a paid operation states the price, but does not run the operation or accept a payment', async () => {
    const { price } = catalog.find(({ page }) => page?.path === '/plan') ?? {};
    const payment = fakePayment({ value: price?.atomic ?? '', validBefore: NOON / 1000 + 100 });
    const query = 'trade=Zebra&business_type=trades';
    const { status, html, response } = await page(`/plan?${query}`, {
      'payment-signature': payment,
    });
    expect(status).toBe(200);
    expect(html).toContain('It costs USD 1.00.');
    expect(html).toContain('value="Zebra"');
    expect(response.headers.has('payment-response')).toBe(false);
    const wrong = await page('/plan?team_size=x&business_type=trades');
    expect([wrong.status, faults(wrong.html).length]).toEqual([400, 1]);
  });

  it('is sent to an address that does not contain the typed values, whether it is free or not', async () => {
    for (const path of calculators)
      expect((await page(path)).html).toMatch(/<form id="form"[^>]* method="post"/);
    const send = async (path: string) => {
      const sent = await app.http.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21&client_name=Zebra+Ltd',
      });
      return [sent.status, await sent.text()];
    };
    expect(await send('/late-invoice')).toEqual([200, expect.stringContaining('1,260.63')]);
  });

  it('answers HEAD and refuses other methods', async () => {
    const head = await app.http.request('/late-invoice?amount=5&due_date=2026-11-04', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const path of ['/late-invoice', '/quote', '/plan', '/quote?items.unit_price=5']) {
      const asked = await app.http.request(path, { method: 'HEAD' });
      expect([path, asked.status, await asked.text()]).toEqual([path, 200, '']);
    }
    const put = await app.http.request('/late-invoice?amount=5', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    const post = await app.http.request('/late-invoice?amount=5', { method: 'POST' });
    expect(post.status).toBe(415);
  });

  it('shows any input as text, and never breaks', async () => {
    const lines = ['items.description', 'items.unit_price', 'rows'];
    const names = ['amount', 'due_date', 'rate_type', ...lines, 'currency'];
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '"><script>x</script>',
        "' onfocus=x autofocus='",
        '</textarea>',
        '&#x3c;',
        '\u202e',
        '-0',
        '1e9',
      ),
    );
    const pair = fc.tuple(fc.constantFrom(...names), hostile);
    const paths = fc.constantFrom(...calculators);
    await fc.assert(
      fc.asyncProperty(paths, fc.array(pair, { maxLength: 8 }), async (path, pairs) => {
        const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
        const { status, html } = await page(`${path}?${query}`);
        expect([200, 400]).toContain(status);
        expect(html).not.toMatch(/<script(?! type="application\/(?:ld\+)?json"| src="\/)/);
        // Text in a quoted attribute is a value, and text between tags is text.
        expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*onfocus/);
      }),
    );
    expect(app.bugs).toEqual([]);
  });
});

describe('play money', () => {
  it('is available only on a service without real money', async () => {
    expect((await page('/plan')).html).not.toMatch(/play[ -]money/i);
    const demo = testApp({ playMoneyKey: `0x${'11'.repeat(32)}` });
    const html = await (await demo.get('/plan')).text();
    expect(html).toMatch(/\bno wallet\b/);
    expect(html).toMatch(/\breal money is not accepted\b/);
    expect(html).toContain('data-play-money-chain="8453"');
    const sent = await (await demo.get('/plan?business_type=trades')).text();
    expect(sent).toContain('JavaScript');
    expect(await (await demo.get('/tools')).text()).not.toMatch(/play[ -]money/i);
  });
});
