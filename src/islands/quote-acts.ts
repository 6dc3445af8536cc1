import { addressIn, BLANK } from '../surfaces/pages/documents/letterhead.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { isWritten, NOTHING_WRITTEN, type Row } from '../surfaces/pages/form-values.ts';
import {
  type Choice,
  leftOutOf,
  linesOf,
  NONE,
  pastedTable,
  pastedWords,
} from '../surfaces/pages/pasted-rows.ts';
import type { Asked } from '../surfaces/pages/quote/quote-client.tsx';
import {
  type Acts,
  LIST,
  type Line,
  lineWith,
  type PastedLines,
  type Written,
  writtenFrom,
} from '../surfaces/pages/quote/quote-state.ts';
import { mayRemember, remember } from './own-memory.ts';
import type { QuoteDesk } from './quote-desk.ts';

export const LEAST_LINES = 3;

/** The user's actions on the document. */
export const actsOn = (desk: QuoteDesk): Acts => ({
  write: (name, value) => void desk.write(name, value),
  writeLine(key, part, value) {
    if (value === (desk.state.written.lines.find((line) => line.key === key)?.values[part] ?? '')) return;
    const changed = (line: Line): Line =>
      line.key === key ? { ...line, values: { ...line.values, [part]: value } } : line;
    desk.edit({ written: { ...desk.state.written, lines: desk.state.written.lines.map(changed) } });
  },
  add() {
    const { written } = desk.state;
    desk.edit({ written: { ...written, lines: [...written.lines, lineWith()] } });
    inputIn(desk, written.lines.length)?.focus();
  },
  move(key, by) {
    moveTo(desk, key, placeOf(desk, key) + by);
    const line = lineElement(desk, key);
    const again = line?.querySelector<HTMLElement>(`[data-act="${by < 0 ? 'up' : 'down'}"]`);
    (again ?? line?.querySelector('summary'))?.focus();
  },
  remove: (key) => removeLine(desk, key),
  drag: (key, event) => drag(desk, key, event as PointerEvent),
  paste: (key, event) => paste(desk, key, event as ClipboardEvent),
  chooseColumn: (part, index) => chooseColumn(desk, part, index),
  addLeftOut: () => addLeftOut(desk),
  send() {
    if (desk.now.faults.length > 0) return desk.ask();
    const { business, contact } = desk.state.written.letterhead;
    const asks: readonly Asked[] = [
      ...(business.trim() === '' ? (['business'] as const) : []),
      ...(addressIn(contact) === '' ? (['contact'] as const) : []),
    ];
    desk.set({ sending: { asks, isNameMissing: false, isLogoShown: false }, isAsked: false });
    desk.dialog()?.showModal();
  },
  beginAnew() {
    const written = writtenFrom(NOTHING_WRITTEN, BLANK, LEAST_LINES);
    desk.replace({ written, isForeign: false }, 'You have started a new quote.');
    inputIn(desk, 0)?.focus();
  },
  remember: (isWanted) => desk.rememberBusiness(isWanted),
  chooseLogo: (file) => void chooseLogo(desk, file),
});

async function chooseLogo(desk: QuoteDesk, file: File | null): Promise<void> {
  // Few owners choose a logo, so this script loads only then.
  const logo = file === null ? '' : await import('./logo-file.ts').then(({ logoFrom }) => logoFrom(file));
  if (logo !== null && mayRemember() && !desk.state.isForeign) remember({ logo });
  const status = logo === '' ? 'Logo removed.' : 'The logo is on your quote.';
  desk.set({ isLogoUnread: logo === null, ...(logo !== null && { status }) });
}

const placeOf = ({ state }: QuoteDesk, key: number): number =>
  state.written.lines.findIndex((line) => line.key === key);
const lineElement = (desk: QuoteDesk, key: number) =>
  desk.root.querySelectorAll<HTMLElement>('.quote-line')[placeOf(desk, key)];
const inputIn = ({ root }: QuoteDesk, place: number) =>
  root.querySelector<HTMLElement>(`#f-${LIST}-${place}-description`);

function moveTo(desk: QuoteDesk, key: number, to: number): void {
  const from = placeOf(desk, key);
  const lines = [...desk.state.written.lines];
  if (to < 0 || to >= lines.length || to === from) return;
  lines.splice(to, 0, ...lines.splice(from, 1));
  const status = `Line ${from + 1} is line ${to + 1} now.`;
  desk.edit({ written: { ...desk.state.written, lines }, shown: new Set(), status });
}

function removeLine(desk: QuoteDesk, key: number): void {
  const { written } = desk.state;
  const place = placeOf(desk, key);
  const left = written.lines.filter((line) => line.key !== key);
  const status = `Line ${place + 1} removed.`;
  const lines = left.length === 0 ? [lineWith()] : left;
  desk.edit({ written: { ...written, lines }, undoing: desk.undoing(status), status, shown: new Set() });
  inputIn(desk, Math.min(place, lines.length - 1))?.focus();
}

/** A dragged line moves to the position of the line under the pointer. */
function drag(desk: QuoteDesk, key: number, event: PointerEvent): void {
  const { pointerId } = event;
  event.preventDefault();
  const follow = (moved: PointerEvent): void => {
    if (moved.pointerId !== pointerId) return;
    const boxes = [...desk.root.querySelectorAll('.quote-line')].map((line) => line.getBoundingClientRect());
    const under = boxes.findIndex(({ bottom }) => moved.clientY < bottom);
    const to = under < 0 ? boxes.length - 1 : under;
    if (to !== placeOf(desk, key)) moveTo(desk, key, to);
  };
  const end = (): void => {
    removeEventListener('pointermove', follow);
    lineElement(desk, key)?.classList.remove('dragged');
  };
  lineElement(desk, key)?.classList.add('dragged');
  addEventListener('pointermove', follow);
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { once: true });
}

/** Spreadsheet rows become lines. Other texts are pasted unchanged. */
function paste(desk: QuoteDesk, key: number, event: ClipboardEvent): void {
  // An empty first cell starts the text with a tab.
  const text = (event.clipboardData?.getData('text/plain') ?? '').trimEnd().replace(/^[\r\n]+/, '');
  const isLong = event.target instanceof HTMLTextAreaElement;
  if (isLong || !/[\t\n\r]/.test(text)) return;
  event.preventDefault();
  const table = pastedTable(text);
  const { choice } = table;
  const { written } = desk.state;
  const { lines } = written;
  const all = linesOf(table, choice);
  // The empty lines from here on are filled, and text below them stays.
  const place = placeOf(desk, key);
  const isFree = (line: Line | undefined): boolean => line !== undefined && !isWritten(line.values);
  const start = isFree(lines[place]) ? place : place + 1;
  let free = 0;
  while (free < all.length && isFree(lines[start + free])) free += 1;
  const room = Math.min(all.length, free + desk.list.maxRows - lines.length);
  const pasted = all.slice(0, room).map((row) => lineWith(row as Row));
  const filled = [...lines.slice(0, start), ...pasted, ...lines.slice(start + free)];
  const keys = pasted.map(({ key }) => key);
  showPasted(desk, { ...written, lines: filled }, { table, choice, keys });
}

/** Reads the pasted rows with a different meaning of a column. Text that the owner has added to their lines stays. */
function chooseColumn(desk: QuoteDesk, part: keyof Choice, index: number): void {
  const { pasted, written } = desk.state;
  if (pasted === null) return;
  const { table, keys } = pasted;
  const others = Object.entries(pasted.choice).map(([name, at]) => [name, at === index ? NONE : at]);
  const choice = { ...(Object.fromEntries(others) as Choice), [part]: index };
  const [before, after] = [pasted.choice, choice].map((one) => linesOf(table, one));
  const lines = written.lines.map((line) => {
    const at = keys.indexOf(line.key);
    const [was, is]: readonly Row[] = [before?.[at] ?? {}, after?.[at] ?? {}] as Row[];
    const changed = Object.keys(choice).filter((name) => (line.values[name] ?? '') === (was?.[name] ?? ''));
    return {
      ...line,
      values: { ...line.values, ...Object.fromEntries(changed.map((name) => [name, is?.[name] ?? ''])) },
    };
  });
  showPasted(desk, { ...written, lines }, { table, choice, keys });
}

/** Adds the rows that were left out below the pasted lines. */
function addLeftOut(desk: QuoteDesk): void {
  const { pasted, written } = desk.state;
  if (pasted === null) return;
  const { table, choice, keys } = pasted;
  const { leftOut } = table;
  const room = desk.list.maxRows - written.lines.length;
  const added = linesOf({ ...table, lines: leftOut }, choice)
    .slice(0, room)
    .map((row) => lineWith(row as Row));
  const lines = [...written.lines];
  lines.splice(placeOf(desk, keys.at(-1) ?? 0) + 1, 0, ...added);
  showPasted(
    desk,
    { ...written, lines },
    {
      table: { ...table, lines: [...table.lines.slice(0, keys.length), ...leftOut], leftOut: [] },
      choice,
      keys: [...keys, ...added.map((line) => line.key)],
    },
  );
}

function showPasted(desk: QuoteDesk, written: Written, pasted: Omit<PastedLines, 'says'>): void {
  const { table, choice, keys } = pasted;
  const says = pastedWords({
    rows: linesOf(table, choice),
    leftOut: leftOutOf(table, choice),
    count: keys.length,
    unread: unreadIn(desk, written, keys),
    most: desk.list.maxRows,
  });
  desk.edit({ written, pasted: { ...pasted, says }, status: says });
}

/** Unreadable numbers of pasted lines, with the labels of their inputs. */
function unreadIn({ list, habits }: QuoteDesk, { lines }: Written, keys: readonly number[]) {
  const rows = lines.map(({ key, values }) => (keys.includes(key) ? values : {}));
  const { faults } = readWritten(
    { fields: [], lists: [list] },
    { fields: {}, lists: { [list.name]: rows } },
    habits.grouping,
  );
  return faults.map(({ pointer }) => {
    const [, , index = '', part = ''] = pointer.split('/');
    const label = list.fields.find(({ name }) => name === `${list.name}.${part}`)?.label ?? part;
    return `${label}, line ${Number(index) + 1} (“${rows[Number(index)]?.[part] ?? ''}”)`;
  });
}
