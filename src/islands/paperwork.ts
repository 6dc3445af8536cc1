import { BLANK, type Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { type Sheet, sheetText } from '../surfaces/pages/documents/sheet.ts';
import { SheetView } from '../surfaces/pages/documents/sheet-view.tsx';
import { type OwnDetails, rememberChoice, remembered } from './own-details.ts';
import { copyButton, quietButton } from './toolbar.ts';

/*
 * A document beside its owner's notes: what is on it that no form asks for, ways to take it away, and the document as
 * it will be on paper. Nothing of it is sent.
 */

/** A field of a letterhead, as owners know it. */
type Asked = {
  readonly name: keyof Letterhead;
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
};

/** A kind of document: what it is called, what an owner may add to it, and how it is made. */
export type PaperKind<Body> = {
  readonly heading: string;
  readonly asked: (body: Body) => readonly Asked[];
  /** What the answer itself says of the letterhead. */
  readonly known: (body: Body) => Partial<Letterhead>;
  /** `day` is the one on which it was made, YYYY-MM-DD. */
  readonly sheet: (body: Body, letterhead: Letterhead, day: string) => Sheet;
  /** The lines for a spreadsheet, where there are some. */
  readonly csv?: (body: Body) => string;
  /** Further ways to take it away, such as an email. */
  readonly more?: (body: Body, letterhead: () => Letterhead) => readonly HTMLElement[];
};

export const BUSINESS: Asked = { name: 'business', label: 'Your business' };
export const CONTACT: Asked = { name: 'contact', label: 'Your address, phone and email', rows: 3 };
export const CLIENT: Asked = { name: 'client', label: 'Your client: name and address', rows: 3 };
export const NUMBER: Asked = { name: 'number', label: 'Number of the quote', hint: 'Such as Q-118.' };
export const ABOUT: Asked = {
  name: 'about',
  label: 'What it is for',
  hint: 'Such as: Garden at 4 Park Row.',
};
export const NOTE: Asked = { name: 'note', label: 'Your terms, or a note', rows: 3 };
export const TAX: Asked = { name: 'tax', label: 'What your tax is called', hint: 'Such as VAT or GST.' };

export type Paperwork<Body> = {
  readonly element: HTMLElement;
  /** Shows another answer; what was added to the document stays. */
  show(body: Body, day: string): void;
  letterhead(): Letterhead;
  write(letterhead: Letterhead): void;
  /** Shows the document to somebody who was sent it, with this and nothing else on it. */
  read(letterhead: Letterhead): void;
};

type Options = {
  /** Something was added to the document. */
  readonly onChange?: () => void;
  /** The address of the document, to read and not to change. */
  readonly share?: () => string;
  /** Goes on with a copy of a document that was shared. */
  readonly edit?: () => void;
};

let made = 0;

/** A document in the page, with what is shown on it. */
type Desk<Body> = {
  readonly kind: PaperKind<Body>;
  readonly options: Options;
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly letters: HTMLElement;
  readonly fields: HTMLElement;
  readonly bar: HTMLElement;
  readonly paper: HTMLElement;
  shown: { readonly body: Body; readonly day: string } | null;
};

export function paperwork<Body>(kind: PaperKind<Body>, options: Options = {}): Paperwork<Body> {
  const desk = deskOf(kind, options);
  const { element, fields, letters } = desk;
  fields.addEventListener('input', () => {
    draw(desk);
    options.onChange?.();
  });
  return {
    element,
    letterhead: () => letterheadOf(desk),
    show(body, day) {
      const isNew = desk.shown === null;
      desk.shown = { body, day };
      if (isNew) {
        const known = { ...ownLetterhead(), ...kind.known(body) };
        fields.replaceChildren(
          ...kind.asked(body).map((asked) => fieldOf(desk.title.id, asked, known[asked.name] ?? '')),
        );
        letters.append(choiceOf(desk));
        desk.bar.replaceChildren(...waysOf(desk, body));
      }
      draw(desk);
    },
    write(written) {
      fill(desk, written, ownLetterhead());
      if (Object.values(written).some((value) => value !== '')) letters.setAttribute('open', '');
    },
    read(written) {
      fill(desk, written, {});
      read(desk);
    },
  };
}

function deskOf<Body>(kind: PaperKind<Body>, options: Options): Desk<Body> {
  made += 1;
  const element = elementOf('section', 'paperwork');
  const title = elementOf('h2');
  title.id = `paper-${made}`;
  title.textContent = kind.heading;
  element.setAttribute('aria-labelledby', title.id);
  const letters = elementOf('details', 'letterhead toolbar');
  const fields = elementOf('div', 'fields');
  const summary = elementOf('summary');
  summary.textContent = 'Put your name, your client and more on it';
  letters.append(summary, hintOf('What you write here stays in this page. It is not sent to us.'), fields);
  const bar = elementOf('div', 'buttons toolbar');
  const paper = elementOf('div', 'paper');
  element.append(title, letters, bar, paper);
  return { kind, options, element, title, letters, fields, bar, paper, shown: null };
}

const inputsOf = <Body>({ fields }: Desk<Body>): readonly HTMLInputElement[] => [
  ...fields.querySelectorAll<HTMLInputElement>('[data-paper]'),
];

const letterheadOf = <Body>(desk: Desk<Body>): Letterhead => ({
  ...BLANK,
  ...Object.fromEntries(inputsOf(desk).map((input) => [input.dataset.paper ?? '', input.value])),
});

/** What is remembered of the owner's business, as a letterhead has it. */
const OWN_NAMES = { business: 'business_name', contact: 'contact', tax: 'tax' } as const satisfies Partial<
  Record<keyof Letterhead, keyof OwnDetails>
>;

function ownLetterhead(): Partial<Letterhead> {
  const own = remembered();
  return Object.fromEntries(Object.entries(OWN_NAMES).map(([name, detail]) => [name, own?.[detail] ?? '']));
}

/** The choice to remember what a letterhead says of the owner's business. */
const choiceOf = <Body>(desk: Desk<Body>): HTMLElement =>
  rememberChoice(
    `${desk.title.id}-own`,
    inputsOf(desk).flatMap((input) => {
      const detail = OWN_NAMES[input.dataset.paper as keyof typeof OWN_NAMES];
      return detail === undefined ? [] : [[detail, input] as const];
    }),
  );

/** Writes a letterhead; `own` stands where it says nothing. */
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
  // Escaped by the renderer that the server uses.
  desk.paper.innerHTML = String(SheetView({ sheet }));
  desk.paper.dataset.file = fileName(sheet);
}

/** Ways to take a document away. */
function waysOf<Body>(desk: Desk<Body>, body: Body): readonly HTMLElement[] {
  const { kind, options, paper } = desk;
  const text = (): string => {
    const sheet = sheetOf(desk);
    return sheet === null ? '' : sheetText(sheet);
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

/** Shows a document to somebody who was sent it, and nothing to write. */
function read<Body>(desk: Desk<Body>): void {
  const { element, title, bar, paper, options, shown } = desk;
  const sheet = sheetOf(desk);
  if (sheet === null) return;
  title.remove();
  element.removeAttribute('aria-labelledby');
  element.setAttribute('aria-label', paper.dataset.file ?? '');
  const heading = document.querySelector('h1');
  if (heading !== null) heading.textContent = headingOf(sheet);
  document.title = paper.dataset.file ?? document.title;
  bar.replaceChildren(
    printButton(paper),
    quietButton('Edit a copy', () => options.edit?.()),
  );
  const until = sheet.facts.find(({ label }) => label === UNTIL)?.value ?? '';
  const isOver = shown !== null && isPast(shown.body);
  element.prepend(
    noteOf(isOver ? `This held until ${until}. Please ask for a new one.` : `It holds until ${until}.`),
  );
}

const UNTIL = 'Valid until';

const isPast = (body: unknown): boolean => {
  const { valid_until: until = '' } = body as { valid_until?: string };
  return until !== '' && until < new Date().toISOString().slice(0, 10);
};

const headingOf = ({ title, business }: Sheet): string =>
  business === '' ? (title ?? 'Letter') : `${title ?? 'Letter'} from ${business}`;

function noteOf(text: string): HTMLElement {
  const note = elementOf('p', 'note toolbar');
  note.textContent = text;
  return note;
}

function fieldOf(id: string, { name, label, hint, rows }: Asked, value: string): HTMLElement {
  const field = elementOf('div', 'field');
  const words = elementOf('label');
  words.textContent = label;
  const input = rows === undefined ? elementOf('input') : elementOf('textarea');
  input.id = `${id}-${name}`;
  input.dataset.paper = name;
  input.autocomplete = 'off';
  if (input instanceof HTMLTextAreaElement) input.rows = rows ?? 1;
  input.value = value;
  words.setAttribute('for', input.id);
  field.append(words, input);
  if (hint !== undefined) {
    const help = hintOf(hint);
    help.id = `${input.id}-hint`;
    input.setAttribute('aria-describedby', help.id);
    field.append(help);
  }
  return field;
}

function hintOf(text: string): HTMLElement {
  const hint = elementOf('p', 'hint');
  hint.textContent = text;
  return hint;
}

/** "Quote Q-118 Green Gardens": what a browser calls the file of a page that is printed into one. */
function fileName({ kind, title, business, facts, client }: Sheet): string {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const what = { quote: 'Quote', pack: 'Quote', letter: 'Reminder', report: title ?? 'Report' }[kind];
  const parts = [what, number, kind === 'letter' ? (client[0] ?? '') : business];
  return parts.filter((part) => part !== '').join(' ');
}

/** Prints under the name of the document. */
function printButton(paper: HTMLElement): HTMLButtonElement {
  const print = quietButton('Print or save as PDF', () => {
    const { title } = document;
    document.title = paper.dataset.file ?? title;
    addEventListener(
      'afterprint',
      () => {
        document.title = title;
      },
      { once: true },
    );
    window.print();
  });
  print.classList.remove('quiet');
  return print;
}

const TYPES = {
  txt: { label: 'Text', type: 'text/plain' },
  csv: { label: 'Lines for a spreadsheet (CSV)', type: 'text/csv' },
  json: { label: 'Data (JSON)', type: 'application/json' },
} as const;

/** A menu of files, each made when it is asked for. */
function downloads(
  paper: HTMLElement,
  files: Readonly<Partial<Record<keyof typeof TYPES, () => string>>>,
): HTMLElement {
  const menu = elementOf('details', 'downloads');
  const summary = elementOf('summary');
  summary.textContent = 'Download';
  menu.append(
    summary,
    ...Object.entries(files).map(([ending, content]) => {
      const { label, type } = TYPES[ending as keyof typeof TYPES];
      return quietButton(label, () =>
        save(
          `${(paper.dataset.file ?? 'document').replace(/[^\p{L}\p{N} ._-]/gu, '')}.${ending}`,
          type,
          content(),
        ),
      );
    }),
  );
  return menu;
}

function save(name: string, type: string, content: string): void {
  const link = elementOf('a');
  link.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function elementOf<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  return element;
}
