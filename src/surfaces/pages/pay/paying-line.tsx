/*
 * Explains payment to someone who has never used a wallet. Server and browser both render it. A wallet gets the
 * address of the page, as a link or a QR code, without the user's input.
 */

type LineProps = {
  readonly usd: string;
  readonly network: string;
  /** Copies the instructions for an assistant; null until the script runs. */
  readonly copyPrompt: (() => void) | null;
  readonly isCopied: boolean;
};

/** How payment works, shown before the form. */
export const PayingLine = ({ usd, network, copyPrompt, isCopied }: LineProps) => (
  <p class="paying-line">
    <strong>${usd}</strong>, one time. You need a crypto wallet with USDC on {network}. No card.{' '}
    <button
      type="button"
      class="link"
      data-assistant
      onClick={copyPrompt ?? undefined}
      disabled={copyPrompt === null}
    >
      {isCopied ? 'Copied: paste it to your assistant' : 'Let your assistant buy it'}
    </button>
  </p>
);

export const PLAY_MONEY = 'This service uses play money: you need no wallet, and real money is not accepted.';

type PaidProps = {
  readonly paid: string;
  readonly transaction: string | null;
  /** A block explorer for the network; null if there is none. */
  readonly explorer: string | null;
};

/** What was paid, with the transaction. */
export const PaidLine = ({ paid, transaction, explorer }: PaidProps) => (
  <>
    Paid: {paid}.
    {transaction === null ? null : (
      <>
        {' '}
        Transaction{' '}
        {explorer === null ? (
          <code>{transaction}</code>
        ) : (
          <a href={`${explorer}/tx/${transaction}`} target="_blank" rel="noopener noreferrer nofollow">
            <code>{transaction}</code>
          </a>
        )}
      </>
    )}
  </>
);

/** Ways to open the page in a wallet on this phone or on another device. */
export function WalletLinks({ baseUrl, path }: { baseUrl: string; path: string }) {
  return (
    <div class="wallet-links">
      <p>
        No wallet yet? <Away href="https://metamask.io/download">MetaMask</Away>,{' '}
        <Away href="https://www.coinbase.com/wallet">Coinbase Wallet</Away> and{' '}
        <Away href="https://trustwallet.com/download">Trust Wallet</Away> are free.
      </p>
      <Apps address={baseUrl + path} />
      <figure class="qr">
        <img
          src={codePath(path)}
          width="132"
          height="132"
          loading="lazy"
          alt="QR code with the address of this page"
        />
        <figcaption>
          Is your wallet on another device? Scan this code there. The code contains only the address of this
          page, nothing that you wrote.
        </figcaption>
      </figure>
    </div>
  );
}

const Away = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
);

/** Links that open the page in the browser of a wallet, as its vendor documents them. They require https. */
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
      . What you wrote is not carried over.
    </p>
  );
}

/** The address of a page's QR code. */
export const codePath = (path: string): string => `${path}/qr.svg`;
