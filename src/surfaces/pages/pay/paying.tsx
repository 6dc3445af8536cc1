import encodeQR from 'qr';
import type { Document } from '../../http/documents.ts';
import { isPaid, networkName, type Site } from '../../site.ts';
import { Blocks } from '../blocks.tsx';
import type { Block } from '../content.ts';
import type { Placed } from '../shell.tsx';
import type { ServedShop } from './pay-state.ts';
import { codePath, PayingLine, PLAY_MONEY } from './paying-line.tsx';

/* The parts that the server adds to a page that sells an answer. */

/** How to pay for an answer; empty for a free one and for play money. */
export function payingBlocks(operation: Placed, site: Site): readonly Block[] {
  if (!isPaid(operation) || site.playMoneyKey !== null) return [];
  const network = networkName(site.terms);
  return [
    { text: `You need no account with us, only two things, which you set up once:` },
    {
      list: [
        [
          'A wallet: a free app on your phone or a browser extension, such as ',
          { link: 'MetaMask', href: 'https://metamask.io/download' },
          ', ',
          { link: 'Coinbase Wallet', href: 'https://www.coinbase.com/wallet' },
          ' or ',
          { link: 'Trust Wallet', href: 'https://trustwallet.com/download' },
          '. ',
          { link: 'Ethereum.org lists more', href: 'https://ethereum.org/en/wallets/find-wallet/' },
          '. It keeps your key, which we never see.',
        ],
        `USDC on ${network}: digital dollars, each meant to be worth one US dollar. You can buy them in the wallet, or on an exchange that can send them on ${network}. Five dollars are plenty. Sellers check your identity, so the first purchase takes a while.`,
      ],
    },
    {
      text: `You fill in the form. We ask you to pay only if we can make the document. Then you sign for exactly USD ${operation.price?.usd} in the wallet. We pay the network fee.`,
    },
    {
      text: [
        'Or let an assistant buy it. An assistant with its own wallet (x402) gets the same document at ',
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
  if (!isPaid(operation) || operation.price === null) return null;
  if (blocks.length === 0) return <p class="hint">{PLAY_MONEY}</p>;
  return (
    <div class="paying">
      <PayingLine
        usd={operation.price.usd}
        network={networkName(site.terms)}
        copyPrompt={null}
        isCopied={false}
      />
      <details>
        <summary>How paying works</summary>
        <Blocks blocks={blocks} />
      </details>
    </div>
  );
}

/** The element of the payment sheet, which the script of the page opens. */
export function PayDialog({ operation, path, site }: { operation: Placed; path: string; site: Site }) {
  if (operation.price === null) return null;
  const { usd } = operation.price;
  const shop: ServedShop = {
    operation: operation.name,
    usd,
    network: networkName(site.terms),
    baseUrl: site.baseUrl,
    path,
  };
  return (
    <dialog
      id="pay"
      aria-labelledby="pay-title"
      data-shop={JSON.stringify(shop)}
      {...(site.playMoneyKey !== null && {
        'data-play-money-key': site.playMoneyKey,
        'data-play-money-chain': String(site.terms.chainId),
      })}
    ></dialog>
  );
}

/** The QR codes, one for each page that accepts real money. */
export const codeDocuments = (operations: readonly Placed[], site: Site): Document[] =>
  operations
    .filter((operation) => payingBlocks(operation, site).length > 0)
    .map(({ page }) => ({
      path: codePath(page.path),
      make: () => ({
        forms: [
          { type: 'image/svg+xml', body: encodeQR(site.baseUrl + page.path, 'svg', { border: 4 }) },
        ] as const,
      }),
    }));
