import { h, render } from 'preact';
import { capitalised } from '../domain/text.ts';
import { type DeviceDraft, DeviceList, type DeviceShop } from '../surfaces/pages/pay/device-list.tsx';
import { boughtOf, PAID_OPERATIONS } from '../surfaces/pages/views/bought.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { orNull } from './or-null.ts';
import { OWN_DETAILS, remembered } from './own-memory.ts';
import { boughtDesk } from './pay/bought.ts';
import { explorerOf } from './pay/networks.ts';
import {
  type Answer,
  deleteAll,
  keptAnswers,
  onAnswersElsewhere,
  onLettersElsewhere,
  sweep,
} from './pay/stored-purchases.ts';
import { removeSent, SENT_QUOTES, sentQuotes } from './sent-quotes.ts';

/* The page of everything that this browser stores: drafts, sent quotes and purchases. */

function start(root: HTMLElement, { prices, network, isPlayMoney }: DeviceShop): void {
  sweep();
  const explorer = explorerOf({ network, isPlayMoney });
  let shown: { readonly operation: string; readonly name: string } | null = null;
  let isDeleting = false;
  const desks = new Map(
    PAID_OPERATIONS.map((operation) => [
      operation as string,
      boughtDesk({
        operation,
        kind: boughtOf(operation),
        shop: { usd: prices[operation] ?? '', network, explorer },
        onChange: () => draw(),
        onRemoved() {
          shown = null;
          draw();
        },
      }),
    ]),
  );
  const answers = (): readonly (readonly [string, Answer])[] =>
    PAID_OPERATIONS.flatMap((operation) =>
      keptAnswers(operation).map((answer) => [operation as string, answer] as const),
    ).sort(([, one], [, other]) => other.boughtMs - one.boughtMs);

  function draw(): void {
    const kept = answers();
    const found = kept.find(([operation, { name }]) => operation === shown?.operation && name === shown.name);
    const open = found === undefined ? null : desks.get(found[0])?.show(found[1]);
    const drafts = [...ownHere(draw), ...draftsHere(), ...sentHere(draw)];
    render(
      h(DeviceList, {
        drafts,
        purchases: kept.map(([operation, answer]) => ({
          what: capitalised(boughtOf(operation).heading.replace(/^Your /, '')),
          answer: { ...answer, operation },
          open() {
            shown = { operation, name: answer.name };
            draw();
            root.querySelector<HTMLElement>('.bought-title')?.focus();
          },
        })),
        open,
        isDeleting,
        isEmpty: kept.length + drafts.length === 0,
        acts: {
          askToDelete(isAsked) {
            isDeleting = isAsked;
            draw();
            if (isAsked) root.querySelector<HTMLElement>('.sure')?.focus();
          },
          removeAll() {
            deleteAll();
            if (remembered() !== null) forget(OWN_DETAILS);
            const drafts = orNull(() => Object.keys(localStorage).filter((key) => key.startsWith('draft.')));
            for (const key of [...(drafts ?? []), SENT_QUOTES]) forget(key);
            isDeleting = false;
            draw();
          },
        },
      }),
      root,
    );
  }
  for (const operation of PAID_OPERATIONS) onAnswersElsewhere(operation, draw);
  onLettersElsewhere(draw);
  addEventListener('pageshow', draw);
  draw();
}

const forget = (key: string): unknown => orNull(() => localStorage.removeItem(key));

/** The remembered details of the owner's business. */
function ownHere(draw: () => void): readonly DeviceDraft[] {
  const own = remembered();
  if (own === null || !Object.values(own).some(Boolean)) return [];
  return [
    {
      title: 'Your business',
      path: '/quote',
      about: own.business_name || 'its details for your documents',
      remove() {
        forget(OWN_DETAILS);
        draw();
        document.querySelector('#status')?.replaceChildren('Removed.');
      },
    },
  ];
}

type Stored = {
  readonly rows?: readonly Readonly<Record<string, string>>[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly letterhead?: Readonly<Record<string, string>>;
};

/** "£1,250.00"; text that is not a plain number is unchanged. */
function sumOf({ amount = '', currency = '' }: NonNullable<Stored['fields']>): string {
  const isPlain = /^\d+(?:\.\d+)?$/.test(amount);
  return isPlain ? amountText(Number(amount), currency || null) : amount;
}

/** Kinds of documents with one draft each on a device. */
const DRAFTS: readonly { key: string; title: string; path: string; about: (stored: Stored) => string }[] = [
  {
    key: 'draft.quote',
    title: 'Unfinished quote',
    path: '/quote',
    about: ({ rows = [], letterhead = {} }) =>
      [letterhead.client, ...rows.map(({ description }) => description)].filter(Boolean).join(', '),
  },
  {
    key: 'draft.late-invoice',
    title: 'Unfinished late invoice',
    path: '/late-invoice',
    about: ({ fields = {} }) => [fields.client_name, sumOf(fields)].filter(Boolean).join(', '),
  },
  {
    key: 'draft.plan',
    title: 'Software plan, answers',
    path: '/plan',
    about: ({ fields = {} }) => [fields.trade, fields.country].filter(Boolean).join(', '),
  },
];

const draftsHere = (): readonly DeviceDraft[] =>
  DRAFTS.flatMap(({ key, title, path, about }) => {
    const stored = orNull(() => JSON.parse(localStorage.getItem(key) ?? '') as Stored);
    const said = stored === null ? null : orNull(() => about(stored).slice(0, 120));
    return said === null ? [] : [{ title, path, about: said }];
  });

const sentHere = (draw: () => void): readonly DeviceDraft[] =>
  sentQuotes().map(({ at, about, query }) => ({
    title: 'Quote, sent',
    path: `/quote#${query}`,
    about,
    remove() {
      removeSent(at);
      draw();
      document.querySelector('#status')?.replaceChildren('Removed.');
    },
  }));

const root = document.querySelector<HTMLElement>('#device');
const data = document.querySelector('#device-data');
if (root && data) start(root, JSON.parse(data.textContent ?? '') as DeviceShop);
