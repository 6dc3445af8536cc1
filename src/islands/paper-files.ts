import type { Sheet } from '../surfaces/pages/documents/sheet.ts';
import { elementOf } from './element.ts';
import { quietButton } from './toolbar.ts';

/* Ways to take a document away as a file: on paper, as a PDF, as text, lines or data. */

/** "Quote Q-118 Green Gardens": what a browser calls the file of a page that is printed into one. */
export function fileName({ kind, title, business, facts, client }: Sheet): string {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const what = { quote: 'Quote', pack: 'Quote', letter: 'Reminder', report: title ?? 'Report' }[kind];
  const parts = [what, number, kind === 'letter' ? (client[0] ?? '') : business];
  return parts.filter((part) => part !== '').join(' ');
}

/** Prints under the name of the document. */
export function printButton(paper: HTMLElement): HTMLButtonElement {
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
export function downloads(
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
