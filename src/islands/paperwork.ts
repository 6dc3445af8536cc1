import { BLANK, inNameOf, type Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { type Sheet, sheetText } from '../surfaces/pages/documents/sheet.ts';
import { SheetView } from '../surfaces/pages/documents/sheet-view.tsx';
import { LETTERHEAD } from '../surfaces/pages/form-texts.ts';
import { elementOf, nodesOf, quietButton } from './element.ts';
import { type Asked, choiceOf, fieldOf } from './letterhead-fields.ts';
import { ownLetterhead } from './own-memory.ts';
import { downloads, fileName, printButton } from './paper-files.ts';
import { copyButton } from './toolbar.ts';

/*
 * A document beside its owner's notes: the fields that only the document has, its exports, and the document as it will
 * be on paper. Nothing of it is sent.
 */

/** A kind of document: what it is called, what an owner may add to it, and how it is made. */
export type PaperKind<Body> = {
  readonly heading: string;
  readonly asked: (body: Body) => readonly Asked[];
  /** The part of the letterhead that the answer holds. */
  readonly known: (body: Body) => Partial<Letterhead>;
  /** `day` is the one on which it was made, YYYY-MM-DD. */
  readonly sheet: (body: Body, letterhead: Letterhead, day: string) => Sheet;
  /** The lines for a spreadsheet, where there are some. */
  readonly csv?: (body: Body) => string;
  /** Further exports, such as an email. */
  readonly more?: (body: Body, letterhead: () => Letterhead) => readonly HTMLElement[];
};

type Options = {
  /** Whether the browser keeps what is written onto the document; left out where the address of the page holds it. */
  readonly stays?: boolean;
  /** What was written for this document before there was one. */
  readonly came?: Letterhead;
  /** Something was added to the document, in this field. */
  readonly onChange?: (name: keyof Letterhead) => void;
  /** The address of the document, read-only. */
  readonly share?: () => string;
  /** Goes on with a copy of a document that was shared. */
  readonly edit?: () => void;
};

/** What is offered where a document has no client. */
const ONE_FIELD = 'Put the name of your business on it';

const NOT_SENT = 'What you write here is not sent to us.';
const STAYS = ' Your browser keeps it on this device with the answer, and deletes it with that.';
const GOES =
  ' But for what you have remembered below, it is forgotten with this page: print it or copy it before.';

let made = 0;

type Desk<Body> = ReturnType<typeof deskOf<Body>>;

export function paperwork<Body>(kind: PaperKind<Body>, options: Options = {}) {
  const desk = deskOf(kind, options);
  const { element, fields, letters } = desk;
  const sayStays = (stays: boolean | undefined): void => {
    const more = stays ? STAYS : GOES;
    letters.querySelector('.hint')?.replaceChildren(NOT_SENT, stays === undefined ? '' : more);
  };
  sayStays(options.stays);
  fields.addEventListener('input', ({ target }) => {
    draw(desk);
    options.onChange?.((target as HTMLElement).dataset.paper as keyof Letterhead);
  });
  return {
    element,
    letterhead: () => letterheadOf(desk),
    /** Says whether the browser keeps what is written onto the document. */
    sayStays,
    /** Shows another answer; what was added to the document stays. */
    show(body: Body, day: string): void {
      const isNew = desk.shown === null;
      desk.shown = { body, day };
      if (isNew) {
        const said = kind.known(body);
        const came = written(inNameOf(said.business ?? '', options.came ?? BLANK));
        const all = { ...came, ...written(said) };
        const known = { ...ownLetterhead(all), ...all };
        const asked = kind.asked(body);
        fields.replaceChildren(...asked.map((one) => fieldOf(desk.title.id, one, known[one.name] ?? '')));
        if (asked.length === 1) letters.querySelector('summary')?.replaceChildren(ONE_FIELD);
        letters.append(choiceOf(desk.title.id, inputsOf(desk)));
        desk.bar.replaceChildren(...exportsOf(desk, body));
      }
      draw(desk);
    },
    write(written: Letterhead): void {
      fill(desk, written, ownLetterhead(written));
      if (Object.values(written).some((value) => value !== '')) letters.setAttribute('open', '');
    },
    /** Fills in exactly what was written before, also where a field was emptied. */
    restore(written: Letterhead): void {
      fill(desk, written, {});
      letters.setAttribute('open', '');
    },
    /** Shows the document read-only to somebody who was sent it, with this letterhead. */
    read(written: Letterhead): void {
      fill(desk, written, {});
      read(desk);
    },
  };
}

/** A document in the page, with what is shown on it. */
function deskOf<Body>(kind: PaperKind<Body>, options: Options) {
  made += 1;
  const title = elementOf('h2', '', kind.heading);
  title.id = `paper-${made}`;
  const fields = elementOf('div', 'fields');
  const letters = elementOf(
    'details',
    'letterhead toolbar',
    elementOf('summary', '', LETTERHEAD),
    elementOf('p', 'hint'),
    fields,
  );
  const bar = elementOf('div', 'buttons toolbar');
  const paper = elementOf('div', 'paper');
  const element = elementOf('section', 'paperwork', title, letters, bar, paper);
  element.setAttribute('aria-labelledby', title.id);
  const shown = null as { readonly body: Body; readonly day: string } | null;
  return { kind, options, element, title, letters, fields, bar, paper, shown };
}

const written = (letterhead: Partial<Letterhead>): Partial<Letterhead> =>
  Object.fromEntries(Object.entries(letterhead).filter(([, text]) => text !== ''));

const inputsOf = <Body>({ fields }: Desk<Body>): readonly HTMLInputElement[] => [
  ...fields.querySelectorAll<HTMLInputElement>('[data-paper]'),
];

const letterheadOf = <Body>(desk: Desk<Body>): Letterhead => ({
  ...BLANK,
  ...Object.fromEntries(inputsOf(desk).map((input) => [input.dataset.paper ?? '', input.value])),
});

/** Fills in a letterhead; `own` is used where it is empty. */
function fill<Body>(desk: Desk<Body>, written: Letterhead, own: Partial<Letterhead>): void {
  for (const input of inputsOf(desk)) {
    const name = input.dataset.paper as keyof Letterhead;
    input.value = written[name] || (own[name] ?? '');
  }
  draw(desk);
}

const sheetOf = <Body>(desk: Desk<Body>): Sheet | null =>
  desk.shown === null ? null : desk.kind.sheet(desk.shown.body, letterheadOf(desk), desk.shown.day);

function draw<Body>(desk: Desk<Body>): void {
  const sheet = sheetOf(desk);
  if (sheet === null) return;
  desk.paper.replaceChildren(...nodesOf(SheetView({ sheet })));
  desk.paper.dataset.file = fileName(sheet);
}

/** The buttons that export a document. */
function exportsOf<Body>(desk: Desk<Body>, body: Body): readonly HTMLElement[] {
  const { kind, options, paper } = desk;
  const text = (): string => {
    const sheet = sheetOf(desk);
    return sheet === null ? '' : sheetText(sheet, location.origin);
  };
  const csv = kind.csv;
  return [
    printButton(paper),
    ...(options.share === undefined ? [] : [copyButton('Copy a link for your client', options.share)]),
    ...(kind.more?.(body, () => letterheadOf(desk)) ?? []),
    copyButton('Copy as text', text),
    downloads(paper, {
      txt: text,
      ...(csv && { csv: () => (desk.shown === null ? '' : csv(desk.shown.body)) }),
      json: () => JSON.stringify({ ...desk.shown?.body, letterhead: letterheadOf(desk) }, null, 2),
    }),
  ];
}

/** Shows a document read-only to somebody who was sent it. */
function read<Body>(desk: Desk<Body>): void {
  const { element, title, bar, paper, options, shown } = desk;
  const sheet = sheetOf(desk);
  if (sheet === null) return;
  title.remove();
  element.removeAttribute('aria-labelledby');
  element.setAttribute('aria-label', paper.dataset.file ?? '');
  const heading = document.querySelector('h1');
  heading?.replaceChildren(...headingOf(sheet));
  document.title = paper.dataset.file ?? document.title;
  bar.replaceChildren(
    printButton(paper),
    quietButton('Edit a copy', () => options.edit?.()),
  );
  const until = sheet.facts.find(({ label }) => label === UNTIL)?.value ?? '';
  const isOver = shown !== null && isPast(shown.body);
  const validity = isOver
    ? `This held until ${until}. Please ask for a new one.`
    : `It holds until ${until}.`;
  element.prepend(elementOf('p', 'note toolbar', validity));
}

const UNTIL = 'Valid until';

const isPast = (body: unknown): boolean => {
  const { valid_until: until = '' } = body as { valid_until?: string };
  return until !== '' && until < new Date().toISOString().slice(0, 10);
};

const headingOf = ({ title, business }: Sheet): readonly (Node | string)[] =>
  business === '' ? [title ?? 'Letter'] : [`${title ?? 'Letter'} from `, elementOf('bdi', '', business)];
