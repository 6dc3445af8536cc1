import type { FormList } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { isWritten, type Row } from '../surfaces/pages/form-values.ts';
import { pastedRows } from '../surfaces/pages/pasted-rows.ts';
import { pastedWords } from '../surfaces/pages/pasted-words.ts';
import { type Line, lineWith } from '../surfaces/pages/quote/quote-state.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';

/** Lines with one of them at another place; null where there is no such place. */
export function movedTo(lines: readonly Line[], from: number, to: number): readonly Line[] | null {
  const moved = lines[from];
  if (moved === undefined || to < 0 || to >= lines.length || to === from) return null;
  const others = lines.filter((line) => line !== moved);
  return [...others.slice(0, to), moved, ...others.slice(to)];
}

type Into = { readonly list: FormList; readonly grouping: Grouping };

/** Rows of a spreadsheet as lines, in empty lines from `place` on and before what is written; and what became of them. */
export function pastedInto(lines: readonly Line[], place: number, text: string, { list, grouping }: Into) {
  const pasted = pastedRows(text);
  const isFree = (line: Line | undefined): boolean => line !== undefined && !isWritten(line.values);
  const start = isFree(lines[place]) ? place : place + 1;
  let free = 0;
  while (free < pasted.rows.length && isFree(lines[start + free])) free += 1;
  const room = Math.min(pasted.rows.length, free + list.maxRows - lines.length);
  const rows = pasted.rows.slice(0, room) as readonly Row[];
  const filled = [...lines.slice(0, start), ...rows.map(lineWith), ...lines.slice(start + free)];
  const says = pastedWords({
    ...pasted,
    count: rows.length,
    unread: unreadIn(rows, start, { list, grouping }),
    most: list.maxRows,
  });
  return { lines: filled, says };
}

/** Numbers of pasted rows that were not understood, with the labels of their inputs. */
function unreadIn(rows: readonly Row[], start: number, { list, grouping }: Into) {
  const { faults } = readWritten(
    { fields: [], lists: [list] },
    { fields: {}, lists: { [list.name]: rows } },
    grouping,
  );
  return faults.map(({ pointer }) => {
    const [, , index = '', part = ''] = pointer.split('/');
    const label = list.fields.find(({ name }) => name === `${list.name}.${part}`)?.label ?? part;
    return { label: `${label}, line ${start + Number(index) + 1}`, value: rows[Number(index)]?.[part] ?? '' };
  });
}
