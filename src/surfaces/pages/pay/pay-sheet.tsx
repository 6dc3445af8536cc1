import { KEEP_PURCHASE } from '../form-texts.ts';
import type { Child } from '../markup.ts';
import { spokenTime } from '../views/format.ts';
import {
  type Goods,
  type PaymentFacts,
  type PayState,
  type Shop,
  type SignedTerms,
  usdcText,
} from './pay-state.ts';
import { WalletLinks } from './paying-line.tsx';

/** The buyer's actions in the sheet. The meaning of `again` depends on the state. */
export type PayActs = {
  readonly close: () => void;
  readonly pay: () => void;
  readonly choose: (place: number) => void;
  readonly stop: () => void;
  readonly again: () => void;
  readonly payAnew: () => void;
  readonly showBought: () => void;
  readonly keep: (keeps: boolean) => void;
  readonly copyPrompt: () => void;
};

export type PaySheetProps = {
  readonly state: PayState;
  readonly shop: Shop;
  /** What is for sale; null until a price is requested, for example after a reload. */
  readonly goods: Goods | null;
  readonly terms: SignedTerms | null;
  /** Whether the tabs of the browser can lock each other out. */
  readonly areTabsLocked: boolean;
  /** What the device stores; `canKeep` is false if the browser stores nothing. */
  readonly keeping: { readonly canKeep: boolean; readonly isKeeping: boolean; readonly days: number };
  readonly isCopied: boolean;
  /** What a visitor without a wallet can still get. */
  readonly free: { readonly says: string; readonly act: () => void } | null;
  readonly acts: PayActs;
};

/** The sheet of a purchase: item, price, payee and one button, or the progress of the payment. */
export function PaySheet(props: PaySheetProps) {
  const { state, shop, goods, acts } = props;
  return (
    <>
      <div class="pay-head">
        <h2 id="pay-title" tabindex={-1}>
          {titleOf(state, goods)}
        </h2>
        {state.kind === 'offer' ? <strong class="pay-price">${shop.usd}</strong> : null}
        <button type="button" class="quiet pay-close" aria-label="Close" onClick={acts.close}>
          ×
        </button>
      </div>
      <Content {...props} />
    </>
  );
}

const TITLES: Readonly<Record<Exclude<PayState['kind'], 'offer' | 'stopped'>, string>> = {
  idle: '',
  checking: 'Checking…',
  wallets: 'Which wallet pays?',
  'no wallet': 'No wallet found',
  asking: 'Your wallet is asking you',
  paying: 'Paying',
  elsewhere: 'Another tab is paying',
  'followed elsewhere': 'Paying in another tab',
  'ended elsewhere': 'Ended in another tab',
  'not paid': 'Not paid',
  unknown: 'Not known yet',
  doubtful: 'Please look in your wallet',
};

function titleOf(state: PayState, goods: Goods | null): string {
  if (state.kind === 'offer') return goods?.title ?? '';
  return state.kind === 'stopped' ? state.title : TITLES[state.kind];
}

function Content(props: PaySheetProps) {
  const { state, acts } = props;
  switch (state.kind) {
    case 'idle':
      return null;
    case 'checking':
      return <p>We are checking what you wrote and asking for the price.</p>;
    case 'stopped':
      return <p>{state.says}</p>;
    case 'offer':
      return <Offer {...props} state={state} />;
    case 'wallets':
      return (
        <Buttons>
          {state.wallets.map(({ name, icon }, place) => (
            <button type="button" onClick={() => acts.choose(place)}>
              {icon === '' ? null : <img src={icon} alt="" width={24} height={24} />}
              {name}
            </button>
          ))}
        </Buttons>
      );
    case 'no wallet':
      return <NoWallet {...props} />;
    case 'asking':
      return <Asking {...props} payer={state.payer} />;
    case 'paying':
      return (
        <>
          <p>{state.says}</p>
          <p role="status">{state.isRepeated ? REPEATED : ''}</p>
        </>
      );
    case 'elsewhere':
      return (
        <>
          <p>You are already paying for this in another tab. Finish or stop it there.</p>
          <Again label="Try again here" act={acts.again} />
        </>
      );
    case 'followed elsewhere':
      return (
        <p>You are paying in another tab. The document will appear here too, even if you close that tab.</p>
      );
    case 'ended elsewhere':
      return (
        <>
          <p>The payment in the other tab has ended. That tab shows the result.</p>
          <Again label="See the price again" act={acts.again} />
        </>
      );
    case 'not paid':
      return (
        <>
          <p>{state.says}</p>
          <Again label="Try again" act={acts.again} />
        </>
      );
    case 'unknown':
      return (
        <>
          <p>We do not know yet whether your payment went through. Do not pay again. Asking again is free.</p>
          <Facts {...props} facts={state.facts} about={state.about} />
          <Again label="Ask again" act={acts.again} />
        </>
      );
    case 'doubtful':
      return <Doubtful {...props} state={state} />;
  }
}

const REPEATED =
  'We do not know yet whether your payment went through. We are asking again, and you will not be charged twice.';

const Buttons = ({ children }: { children: Child }) => <p class="pay-buttons">{children}</p>;

const Again = ({ label, act }: { label: string; act: () => void }) => (
  <Buttons>
    <button type="button" onClick={act}>
      {label}
    </button>
  </Buttons>
);

type Of<Kind> = Extract<PayState, { kind: Kind }>;

function Offer(props: PaySheetProps & { state: Of<'offer'> }) {
  const { state, shop, goods, terms, areTabsLocked, acts } = props;
  const { boughtMs, isGone } = state;
  return (
    <>
      <p class="pay-once">
        One time, {shop.usd} USDC on {shop.network}. {READY}: you get it as soon as you pay.
      </p>
      {boughtMs === null ? null : (
        <div class="note">
          <p>
            <strong>You have bought exactly this before</strong>, on {spokenTime(boughtMs)}. Buying it again
            may charge you again.
          </p>
          <Buttons>
            <button type="button" class="quiet" onClick={acts.showBought}>
              Show what was bought
            </button>
          </Buttons>
          <p role="status">{isGone ? 'It is no longer stored on this device.' : ''}</p>
        </div>
      )}
      {goods?.notes.map((note) => (
        <p>{note}</p>
      ))}
      {areTabsLocked ? null : <p>Your browser’s tabs cannot see each other. Please pay only in this one.</p>}
      <Buttons>
        <button type="button" onClick={acts.pay}>
          {boughtMs === null ? 'Pay' : 'Buy it again for'} {shop.usd} USDC
        </button>
      </Buttons>
      <Keeping {...props} />
      <details>
        <summary>What your wallet shows</summary>
        {goods?.about ? <p>It is for: {goods.about}.</p> : null}
        {terms === null ? null : (
          <p>
            It pays <code>{terms.payTo}</code> on {shop.network}, with the amount in millionths:{' '}
            {terms.amount} = {usdcText(BigInt(terms.amount))} USDC. Your signature is valid only for this one
            payment and for {terms.maxTimeoutSeconds} seconds. The network fee is ours.
          </p>
        )}
      </details>
      {shop.isPlayMoney ? null : <Assistant {...props} />}
    </>
  );
}

const READY = 'Your document is ready to buy';

const Assistant = ({ isCopied, acts }: Pick<PaySheetProps, 'isCopied' | 'acts'>) => (
  <p class="pay-other">
    <button type="button" class="link" onClick={acts.copyPrompt}>
      {isCopied ? 'Copied: paste it to your assistant' : 'Let your assistant buy it'}
    </button>
  </p>
);

function Keeping({ keeping: { canKeep, isKeeping, days }, acts }: PaySheetProps) {
  if (!canKeep)
    return (
      <p class="hint">
        Your browser stores nothing for this site. Leave this page open until you have copied or printed the
        document.
      </p>
    );
  return (
    <div class="keeping">
      <label>
        <input
          type="checkbox"
          id="keep"
          checked={isKeeping}
          aria-describedby="keep-hint"
          onChange={({ currentTarget }) => acts.keep((currentTarget as { checked: boolean }).checked)}
        />{' '}
        {KEEP_PURCHASE}
      </label>
      <p class="hint" id="keep-hint">
        {isKeeping
          ? `Kept in this browser for ${days} days, or until you delete it. We store nothing that you write.`
          : 'Nothing about this purchase is kept. Copy or print the document before you close this page.'}
      </p>
    </div>
  );
}

function NoWallet(props: PaySheetProps) {
  const { shop, free, acts } = props;
  if (shop.isPlayMoney)
    return (
      <>
        <p>
          This service accepts only play money, and its own wallet did not load. We do not ask any other
          wallet, because that wallet could spend real money. Reload the page. Nothing was charged.
        </p>
        <Again label="Look again" act={acts.again} />
      </>
    );
  return (
    <>
      <p>
        To pay, you need a crypto wallet with USDC on {shop.network}, in your browser or as an app. Nothing
        was charged, and what you wrote is still here.
      </p>
      <Buttons>
        {free === null ? null : (
          <button type="button" onClick={free.act}>
            {free.says}
          </button>
        )}
        <button type="button" class="quiet" onClick={acts.again}>
          Look again
        </button>
      </Buttons>
      <Assistant {...props} />
      <WalletLinks baseUrl={shop.baseUrl} path={shop.path} />
    </>
  );
}

function Asking({ goods, terms, payer, shop, acts }: PaySheetProps & Pick<Of<'asking'>, 'payer'>) {
  return (
    <>
      <p>Your wallet shows the payment before you sign it.</p>
      {goods?.about ? <p class="hint">You are buying: {goods.about}.</p> : null}
      {payer === null || terms === null ? null : (
        <>
          <p>
            It pays from <code>{payer.address}</code>
            {payer.millionths === null
              ? '.'
              : `, which holds ${usdcText(payer.millionths)} USDC on ${shop.network}.`}
          </p>
          <p>
            It may show the payment as: value <code>{terms.amount}</code> (in millionths: {terms.amount} ={' '}
            {usdcText(BigInt(terms.amount))} USDC), to <code>{terms.payTo}</code>.
          </p>
        </>
      )}
      <Buttons>
        <button type="button" class="quiet" onClick={acts.stop}>
          Stop waiting
        </button>
      </Buttons>
    </>
  );
}

function Doubtful(props: PaySheetProps & { state: Of<'doubtful'> }) {
  const { state, acts } = props;
  return (
    <>
      <p>
        {state.isSpent
          ? 'This payment was used before: the money has most likely moved, but the document did not reach this page.'
          : 'We can no longer find out whether this payment was made. It may have gone through.'}
      </p>
      <Facts {...props} facts={state.facts} about={state.about} />
      <p>
        Check in your wallet whether this amount has left your account. Asking again with the same payment
        costs nothing. If you make a new payment, you may pay twice.
      </p>
      <Buttons>
        <button type="button" onClick={acts.again}>
          Ask again
        </button>
        <button type="button" class="quiet" onClick={acts.payAnew}>
          Pay again, even though I may already have paid
        </button>
      </Buttons>
    </>
  );
}

function Facts({ facts, about, shop }: { facts: PaymentFacts | null; about: string; shop: Shop }) {
  if (facts === null) return null;
  return (
    <>
      <p>
        Amount: {facts.amount} USDC. From: <code>{facts.from}</code>. Payment number (nonce):{' '}
        <code>{facts.nonce}</code>.
      </p>
      {about === '' ? null : <p>It is for: {about}.</p>}
      {shop.explorer === null ? null : (
        <p>
          <a
            href={`${shop.explorer}/address/${facts.from}#tokentxns`}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            Transfers of this account
          </a>
        </p>
      )}
    </>
  );
}
