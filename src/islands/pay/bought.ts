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
  type Extras,
  firstLetterhead,
  type PlaceProps,
  paperId,
} from '../../surfaces/pages/pay/bought.tsx';
import type { Shop } from '../../surfaces/pages/pay/pay-state.ts';
import { blocksText } from '../../surfaces/pages/plain-text.ts';
import { type Bought, boughtOf } from '../../surfaces/pages/views/bought.ts';
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
import { COPIED_MS, copiedWords, copyText, debounced, goTo, goToTitle, isSharing, printAs } from '../page.ts';
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
  readonly kind: Bought;
  readonly shop: Pick<Shop, 'usd' | 'network' | 'explorer'>;
  /** Called after each change, to render the page. */
  readonly onChange: () => void;
  readonly onRemoved: () => void;
  /** Announces something to screen readers. */
  readonly say?: (words: string) => void;
  readonly extrasOf?: (answer: Answer) => Extras;
};

const sayInStatus = (words: string): void => document.querySelector('#status')?.replaceChildren(words);

export function boughtDesk(parts: DeskParts) {
  const { operation, kind, shop, onChange, onRemoved, say = sayInStatus } = parts;
  let copied: string | null = null;
  let deleting = '';
  /** The answer whose link was requested before it had a business name. */
  let nameless = '';
  let isLogoShown = false;
  const letterheadOf = (answer: Answer): Letterhead =>
    keptLetterhead(operation, answer) ??
    firstLetterhead(kind, answer.body, paperIn(answer.paper ?? '').letterhead, ownLetterhead);
  const sheetOf = (answer: Answer) => kind.sheet(answer.body, letterheadOf(answer), dayOf(answer.boughtMs));

  async function copy(label: string, text: string | Promise<string>): Promise<void> {
    const isCopied = await Promise.resolve(text).then(copyText, () => false);
    copied = isCopied ? label : null;
    say(copiedWords(isCopied));
    onChange();
    endCopied();
  }
  const endCopied = debounced(COPIED_MS, () => {
    copied = null;
    onChange();
  });

  /** Changes a detail on the document of an answer. */
  function edit(answer: Answer, name: keyof Letterhead, value: string): void {
    keepLetterhead(operation, answer, { ...letterheadOf(answer), [name]: value });
    onChange();
  }

  /** Changes a detail on the document of an answer, and remembers the details of the owner's business. */
  function write(answer: Answer, name: keyof Letterhead, value: string): void {
    const isForeign = remembered() !== null && isOfAnother(letterheadOf(answer));
    const own: Detail | undefined = OWN_NAMES[name as keyof typeof OWN_NAMES];
    const isFaulty = own === 'pay_link' && paymentFaults(value).length > 0;
    if (own !== undefined && !isFaulty && !isForeign && mayRemember()) remember({ [own]: value.trim() });
    edit(answer, name, value);
  }

  function propsOf(answer: Answer): BoughtProps {
    const { body } = answer;
    const extras = parts.extrasOf?.(answer) ?? null;
    const logo = ownLogo(letterheadOf(answer));
    const letterhead = { ...letterheadOf(answer), logo };
    const sent = () =>
      kind.sheet(body, isLogoShown ? letterhead : letterheadOf(answer), dayOf(answer.boughtMs));
    return {
      kind,
      answer: { ...answer, operation } satisfies BoughtAnswer,
      letterhead,
      price: `$${shop.usd} in USDC on ${shop.network}`,
      explorer: shop.explorer,
      isKept: !isPassing(operation, answer),
      isNoted: isLetterheadKept(operation, answer),
      keptDays: KEPT_DAYS,
      isRemembering: mayRemember(),
      isSharing: isSharing(),
      copied,
      isNameMissing: nameless === answer.name,
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
      extras,
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
          printAs(extras?.title || fileName(sheetOf(answer)));
        },
        copy: (label, text) => void copy(label, text()),
        copyLink() {
          if (letterhead.business.trim() !== '') return void copy(CLIENT_LINK, sheetLink(sent()));
          nameless = answer.name;
          onChange();
          goTo(paperId(answer, 'business'));
        },
        share({ subject, body: text }) {
          // The promise is rejected if the user closes the share menu.
          void navigator.share({ title: subject, text }).catch(() => undefined);
        },
        askToDelete(isAsked) {
          deleting = isAsked ? answer.name : '';
          onChange();
          document.querySelector<HTMLElement>('.sure')?.focus();
        },
        remove() {
          deleting = '';
          deleteAnswer(operation, answer);
          onRemoved();
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
  return { show, edit };
}

/* The purchases of a page: the answer bought or opened last in full, and a list of the earlier ones. */

type PlaceParts = Omit<DeskParts, 'onRemoved'> & {
  /** The name of the answer shown in full; null if there is none. */
  readonly front: () => string | null;
  /** Shows an answer in full, or none, and renders the page. */
  readonly bringToFront: (name: string | null) => void;
};

/** The purchases of an operation, the same in every tab. */
export function boughtPlace({ front, bringToFront, ...parts }: PlaceParts) {
  const { operation, onChange } = parts;
  let isDeleted = false;
  const all = (): readonly Answer[] => keptAnswers(operation);
  const found = (name: string | null) => all().find((one) => one.name === name);
  function show(name: string | null): void {
    isDeleted = name === null;
    bringToFront(name);
    warnOfLeaving();
    goToTitle(document.querySelector('.bought-title, .deleted'));
  }
  /** Shows an answer in full; false if this device does not have it. */
  function bringUp(name: string): boolean {
    if (found(name) === undefined) return false;
    show(name);
    return true;
  }
  const desk = boughtDesk({ ...parts, onRemoved: () => show(null) });
  onAnswersElsewhere(operation, onChange);
  onLettersElsewhere(onChange);
  return {
    bringUp,
    /** Changes a detail on the document that is shown. */
    edit(name: keyof Letterhead, value: string): void {
      const shown = found(front());
      if (shown !== undefined) desk.edit(shown, name, value);
    },
    props(): PlaceProps {
      const first = found(front());
      const earlier = all().filter(({ name }) => name !== first?.name);
      return {
        first: first && desk.show(first),
        earlier: earlier.map((answer) => ({
          answer: { ...answer, operation },
          open: () => show(answer.name),
        })),
        isDeleted: isDeleted && first === undefined,
      };
    },
    /** Stores a new purchase, and shows it. */
    add({ name, about, paper }: Order, body: unknown, transaction: string | null, more: object = {}): void {
      keepAnswer(operation, { name, about, paper, body, transaction, boughtMs: Date.now(), ...more });
      show(name);
    },
  };
}

const FRESH_MS = 600_000;

/** Shows the answers of an operation in `root`. */
export function mountBought(root: HTMLElement, shop: Shop, say?: DeskParts['say']) {
  const { operation } = shop;
  sweep();
  // An answer bought just before a reload is shown in full again.
  const [newest] = keptAnswers(operation);
  let front = newest && Date.now() - newest.boughtMs < FRESH_MS ? newest.name : null;
  const place = boughtPlace({
    operation,
    kind: boughtOf(operation),
    shop,
    ...(say && { say }),
    onChange: () => draw(),
    front: () => front,
    bringToFront(name) {
      front = name;
      draw();
    },
  });
  const draw = (): void => render(h(BoughtPlace, place.props()), root);
  draw();
  return place;
}
