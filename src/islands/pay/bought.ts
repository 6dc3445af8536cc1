import { h, render } from 'preact';
import { Blocks } from '../../surfaces/pages/blocks.tsx';
import { type Letterhead, paperIn } from '../../surfaces/pages/documents/letterhead.ts';
import { paymentFaults } from '../../surfaces/pages/documents/payment-link.ts';
import { fileName, sheetText } from '../../surfaces/pages/documents/sheet.ts';
import { CLIENT_LINK } from '../../surfaces/pages/form-texts.ts';
import {
  type BoughtAnswer,
  BoughtPlace,
  type BoughtProps,
  BoughtView,
  dayOf,
  firstLetterhead,
} from '../../surfaces/pages/pay/bought.tsx';
import type { Shop } from '../../surfaces/pages/pay/pay-state.ts';
import { blocksText } from '../../surfaces/pages/plain-text.ts';
import { boughtOf } from '../../surfaces/pages/views/bought.ts';
import {
  type Detail,
  isOfAnother,
  mayRemember,
  OWN_NAMES,
  ownDetailsIn,
  ownLetterhead,
  ownLogo,
  remember,
  remembered,
} from '../own-memory.ts';
import { COPIED_MS, copiedWords, copyText, goToTitle, printAs } from '../page.ts';
import { sheetLink } from '../sheet-link.ts';
import type { Order } from './purchase.ts';
import {
  type Answer,
  deleteAnswer,
  isLetterheadKept,
  isPassing,
  KEPT_DAYS,
  keepAnswer,
  keepLetterhead,
  keptAnswers,
  keptLetterhead,
  onAnswersElsewhere,
  onLettersElsewhere,
  sweep,
  warnOfLeaving,
} from './stored-purchases.ts';

/* A purchased answer in a page. Edits of its document are stored with it, and each change redraws the document. */

type DeskParts = {
  readonly operation: string;
  readonly shop: Pick<Shop, 'usd' | 'network' | 'explorer'>;
  /** Called after each change, to render the page. */
  readonly onChange: () => void;
  readonly onRemoved: (answer: Answer) => void;
};

export function boughtDesk({ operation, shop, onChange, onRemoved }: DeskParts) {
  const kind = boughtOf(operation);
  let copied: string | null = null;
  let deleting = '';
  let isLogoShown = false;
  const letterheadOf = (answer: Answer): Letterhead =>
    keptLetterhead(operation, answer) ??
    firstLetterhead(kind, answer.body, paperIn(answer.paper ?? '').letterhead, ownLetterhead);
  const sheetOf = (answer: Answer) => kind.sheet(answer.body, letterheadOf(answer), dayOf(answer.boughtMs));

  async function copy(label: string, text: string | Promise<string>): Promise<void> {
    const isCopied = await Promise.resolve(text).then(copyText, () => false);
    copied = isCopied ? label : null;
    document.querySelector('#status')?.replaceChildren(copiedWords(isCopied));
    onChange();
    setTimeout(() => {
      if (copied === label) copied = null;
      onChange();
    }, COPIED_MS);
  }

  function write(answer: Answer, name: keyof Letterhead, value: string): void {
    const isForeign = remembered() !== null && isOfAnother(letterheadOf(answer));
    keepLetterhead(operation, answer, { ...letterheadOf(answer), [name]: value });
    const own: Detail | undefined = OWN_NAMES[name as keyof typeof OWN_NAMES];
    const isFaulty = own === 'pay_link' && paymentFaults(value).length > 0;
    if (own !== undefined && !isFaulty && !isForeign && mayRemember()) remember({ [own]: value.trim() });
    onChange();
  }

  function propsOf(answer: Answer): BoughtProps {
    const { body } = answer;
    const logo = ownLogo(letterheadOf(answer));
    const letterhead = { ...letterheadOf(answer), logo };
    const sent = () =>
      kind.sheet(body, isLogoShown ? letterhead : letterheadOf(answer), dayOf(answer.boughtMs));
    return {
      kind,
      answer: { ...answer, operation } satisfies BoughtAnswer,
      letterhead,
      price: `${shop.usd} USDC on ${shop.network}`,
      explorer: shop.explorer,
      isKept: !isPassing(operation, answer),
      isNoted: isLetterheadKept(operation, answer),
      keptDays: KEPT_DAYS,
      isRemembering: mayRemember(),
      copied,
      isDeleting: deleting === answer.name,
      text: () => sheetText(sheetOf(answer), location.origin),
      wholeText: () => blocksText(kind.view(body), location.origin),
      logo:
        logo === '' || !kind.isForClient
          ? null
          : {
              isShown: isLogoShown,
              characters: logo.length,
              show(isShown) {
                isLogoShown = isShown;
                onChange();
              },
            },
      acts: {
        write: (name, value) => write(answer, name, value),
        remember(isWanted) {
          remember(isWanted ? ownDetailsIn(letterhead) : null);
          onChange();
        },
        print() {
          // A page may contain another document, such as the quote behind this answer.
          document.body.dataset.printing = 'bought';
          addEventListener('afterprint', () => delete document.body.dataset.printing, { once: true });
          printAs(fileName(sheetOf(answer)));
        },
        copy: (label, text) => void copy(label, text()),
        copyLink: () => void copy(CLIENT_LINK, sheetLink(sent())),
        askToDelete(isAsked) {
          deleting = isAsked ? answer.name : '';
          onChange();
          document.querySelector<HTMLElement>('.sure')?.focus();
        },
        remove() {
          deleting = '';
          deleteAnswer(operation, answer);
          onRemoved(answer);
        },
      },
    };
  }

  /** The full answer if it has no document; as JSON if the page is older than the server's release. */
  function withoutPaper({ body }: Answer) {
    try {
      return h(
        'div',
        {},
        h('h2', { class: 'bought-title', tabindex: -1 }, kind.heading),
        h(Blocks, { blocks: kind.view(body) }),
      );
    } catch {
      return h('pre', {}, h('code', {}, JSON.stringify(body, null, 2)));
    }
  }

  const show = (answer: Answer) => {
    try {
      // Both calls throw if the answer has an unexpected shape.
      sheetOf(answer);
      kind.notes(answer.body);
      return h(BoughtView, propsOf(answer));
    } catch {
      return withoutPaper(answer);
    }
  };
  return { show };
}

/* The purchases of a page: the answer bought or opened last in full, and a list of the earlier ones. */

const FRESH_MS = 600_000;

/** Shows the answers of an operation in `root`, the same in every tab. */
export function mountBought(root: HTMLElement, shop: Shop) {
  const { operation } = shop;
  sweep();
  const all = (): readonly Answer[] => keptAnswers(operation);
  // The answer shown in full: opened or bought here, or bought just before a reload.
  let front = all().find(({ boughtMs }) => Date.now() - boughtMs < FRESH_MS)?.name ?? null;
  let isDeleted = false;
  const desk = boughtDesk({
    operation,
    shop,
    onChange: () => draw(),
    onRemoved({ name }) {
      if (name === front) front = all()[0]?.name ?? null;
      isDeleted = front === null;
      draw();
      goTo();
    },
  });
  function draw(): void {
    const answers = all();
    const first = answers.find(({ name }) => name === front) ?? null;
    const earlier = answers
      .filter((answer) => answer !== first)
      .map((answer) => ({ answer: { ...answer, operation }, open: () => bringUp(answer.name) }));
    render(
      h(BoughtPlace, { first: first && desk.show(first), earlier, isDeleted: isDeleted && first === null }),
      root,
    );
    warnOfLeaving();
  }
  const goTo = (): void => goToTitle(root.querySelector('.bought-title, .deleted'));
  /** Shows an answer in full; false if this device does not have it. */
  function bringUp(name: string): boolean {
    const answer = all().find((one) => one.name === name);
    if (answer === undefined) return false;
    front = name;
    isDeleted = false;
    draw();
    goTo();
    return true;
  }
  onAnswersElsewhere(operation, draw);
  onLettersElsewhere(draw);
  draw();
  return {
    bringUp,
    /** Stores a new purchase, and shows it. */
    add({ name, about, paper }: Order, body: unknown, transaction: string | null): void {
      keepAnswer(operation, { name, about, paper, body, transaction, boughtMs: Date.now() });
      bringUp(name);
    },
  };
}
