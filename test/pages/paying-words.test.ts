import { describe, expect, it } from 'vitest';
import { htmlOf } from '../../src/surfaces/pages/markup.ts';
import { WalletLinks } from '../../src/surfaces/pages/pay/paying-line.tsx';
import { testApp } from '../support/app.ts';

const PAID = ['/plan'];

const textOf = async (path: string, app = testApp()): Promise<string> => (await app.get(path)).text();

describe('a page that takes real money', () => {
  it.each(PAID)(
    'explains above the form of %s how to pay, where to get USDC and who else can buy',
    async (path) => {
      const html = await textOf(path);
      const above = html.slice(0, html.indexOf('<form'));
      expect(above).toMatch(/<strong>\$\d\.\d\d<\/strong>.*\bwallet\b.*\bUSDC\b.*\bBase\b.*No card/);
      expect(above).toContain('https://metamask.io/download');
      expect(above).toMatch(/\bnetwork\b/);
      expect(above).toMatch(/\bassistant\b/);
      expect(above).toContain('<code>https://calc.example/mcp</code>');
      expect(await textOf(`${path}.md`)).toMatch(/\bassistant\b/);
    },
  );

  it('has links in the payment sheet that open the page in a wallet on the same phone, as wallets document them', () => {
    const html = htmlOf(WalletLinks({ baseUrl: 'https://calc.example', path: '/quote' }));
    const links = [...html.matchAll(/href="(https:\/\/(?:link|go)\.[^"]+)"/g)].map(([, link]) => link);
    expect(links).toEqual([
      'https://link.metamask.io/dapp/calc.example/quote',
      'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fcalc.example%2Fquote',
      'https://link.trustwallet.com/open_url?coin_id=60&amp;url=https%3A%2F%2Fcalc.example%2Fquote',
    ]);
    expect(html).toContain('src="/quote/qr.svg"');
  });

  it('can be opened on another device by a QR code', async () => {
    const code = await testApp().get('/plan/qr.svg');
    expect(code.headers.get('content-type')).toBe('image/svg+xml');
    expect(await code.text()).toMatch(/^<svg /);
  });

  it('has no wallet links for phones if its address is not https', () => {
    expect(htmlOf(WalletLinks({ baseUrl: 'http://192.0.2.1:4021', path: '/quote' }))).not.toContain(
      'link.metamask.io',
    );
  });
});

describe('a page that takes play money or no money', () => {
  it('does not link to a wallet', async () => {
    const app = testApp({ playMoneyKey: `0x${'11'.repeat(32)}` });
    for (const path of PAID) expect(await textOf(path, app)).not.toContain('https://metamask.io/');
    expect((await app.get('/quote/qr.svg')).status).toBe(404);
    expect(await textOf('/quote')).not.toContain('https://metamask.io/');
  });
});
