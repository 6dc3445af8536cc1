import type { Document } from '../http/documents.ts';
import { isPaid, networkName, type Site } from '../site.ts';
import { Blocks } from './blocks.tsx';
import type { Block } from './content.ts';
import { qrSvg } from './qr-code.ts';
import type { Placed } from './shell.tsx';

/*
 * How to pay, for somebody who has never paid by wallet. Addresses that are passed on to a wallet, as a link or as a QR
 * code, are those of the page alone, without the values of the form.
 */

/** How an answer is paid for; nothing for a free one and with play money. */
export function payingBlocks(operation: Placed, site: Site): readonly Block[] {
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
export function PayingNote({ operation, site }: { operation: Placed; site: Site }) {
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
              Is your wallet on another device? Scan this there. It holds the address of this page alone, and
              nothing of what you wrote.
            </figcaption>
          </figure>
        )}
      </div>
    </details>
  );
}

/** Links that open the page in the browser of a wallet, as its maker documents them; they need https. */
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
      . What you wrote does not come along.
    </p>
  );
}

const codePath = ({ page }: Placed): string => `${page.path}/qr.svg`;

const codeOf = ({ page }: Placed, { baseUrl }: Site): string | null => qrSvg(baseUrl + page.path);

/** The codes to scan, one for each paid page that takes real money. */
export function codeDocuments(operations: readonly Placed[], site: Site): Document[] {
  return operations
    .filter((operation) => payingBlocks(operation, site).length > 0)
    .flatMap((operation) => {
      const body = codeOf(operation, site);
      const make = () => ({ forms: [{ type: 'image/svg+xml', body: body ?? '' }] as const });
      return body === null ? [] : [{ path: codePath(operation), make }];
    });
}
