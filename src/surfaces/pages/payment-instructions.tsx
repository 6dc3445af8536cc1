import type { Operation, PagePlace } from '../../catalog/operation.ts';
import { type Document, once } from '../http/document.ts';
import { isPaid, networkName, type Site } from '../site.ts';
import { Blocks } from './blocks.tsx';

import type { Block } from './content.ts';
import { qrSvg } from './qr-code.ts';

/*
 * What somebody who has never paid so should know before filling in a form. Addresses that leave this page, for a wallet
 * on a phone or as a code to scan, are those of the page alone: what was written stays where it was written.
 */

type Calculator = Operation & { readonly page: PagePlace };

/** How a paid answer is paid for; nothing where there is nothing to get first. */
export function payingBlocks(operation: Calculator, site: Site): readonly Block[] {
  if (!isPaid(operation) || site.playMoneyKey !== null) return [];
  const network = networkName(site.terms);
  return [
    { text: `You need two things, once, and no account with us:` },
    {
      list: [
        [
          'A wallet: a free app on your phone or an extension of your browser, such as ',
          { link: 'MetaMask', href: 'https://metamask.io/download' },
          ', ',
          { link: 'Coinbase Wallet', href: 'https://www.coinbase.com/wallet' },
          ' or ',
          { link: 'Trust Wallet', href: 'https://trustwallet.com/download' },
          '. ',
          { link: 'Ethereum.org lists more', href: 'https://ethereum.org/en/wallets/find-wallet/' },
          '. It keeps your key, which we never see.',
        ],
        `USDC on ${network}: digital dollars, one for one US dollar. You buy them in the wallet or at an exchange that sends them on ${network}; five dollars are plenty. Sellers ask who you are, so the first time takes a while.`,
      ],
    },
    {
      text: `You fill in the form, see that the answer exists, and sign for exactly USD ${operation.price?.usd} in the wallet. The fee of the network is ours.`,
    },
    {
      text: [
        'Or let an assistant buy it: one that has a wallet of its own (x402) gets the same answer at ',
        { code: `${site.baseUrl}/mcp` },
        '; ',
        { link: 'how programs buy', href: '/developers' },
        '.',
      ],
    },
  ];
}

/** The price and how to pay it, above a form. */
export function PayingNote({ operation, site }: { operation: Calculator; site: Site }) {
  const blocks = payingBlocks(operation, site);
  if (blocks.length === 0) return null;
  return (
    <details class="paying">
      <summary>
        <strong>USD {operation.price?.usd}</strong>, paid in USDC on {networkName(site.terms)} from a wallet:
        how that works
      </summary>
      <Blocks blocks={blocks} />
      <div id="wallets">
        <Apps address={site.baseUrl + operation.page.path} />
        {codeOf(operation, site) === null ? null : (
          <figure class="qr">
            <img
              src={codePath(operation)}
              width="164"
              height="164"
              loading="lazy"
              alt="QR code with the address of this page"
            />
            <figcaption>
              Is your wallet on another device? Scan this there. It holds the address of this page alone: what
              you wrote stays here.
            </figcaption>
          </figure>
        )}
      </div>
    </details>
  );
}

/** Links by which wallets open a page in a browser of their own, as each of them documents; they take https alone. */
function Apps({ address }: { address: string }) {
  if (!address.startsWith('https://')) return null;
  const encoded = encodeURIComponent(address);
  return (
    <p>
      Is your wallet on this phone? Open this page in it:{' '}
      <a href={`https://link.metamask.io/dapp/${address.slice('https://'.length)}`} rel="noopener nofollow">
        MetaMask
      </a>
      ,{' '}
      <a href={`https://go.cb-w.com/dapp?cb_url=${encoded}`} rel="noopener nofollow">
        Coinbase Wallet
      </a>{' '}
      or{' '}
      <a href={`https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`} rel="noopener nofollow">
        Trust Wallet
      </a>
      . What you wrote stays in this browser.
    </p>
  );
}

const codePath = ({ page }: Calculator): string => `${page.path}/qr.svg`;

const codeOf = ({ page }: Calculator, { baseUrl }: Site): string | null => qrSvg(baseUrl + page.path);

/** The codes to scan, one for each paid page that takes real money. */
export function codeDocuments(operations: readonly Calculator[], site: Site): Document[] {
  return operations
    .filter((operation) => payingBlocks(operation, site).length > 0)
    .flatMap((operation) => {
      const body = once(() => codeOf(operation, site));
      if (body() === null) return [];
      const make = () => ({ forms: [{ type: 'image/svg+xml', body: body() ?? '' }] as const });
      return [{ path: codePath(operation), make }];
    });
}
