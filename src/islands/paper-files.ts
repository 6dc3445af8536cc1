import type { Sheet } from '../surfaces/pages/documents/sheet.ts';
import { button, elementOf, quietButton } from './element.ts';

/* Exports of a document: on paper, as a PDF, as text, lines or data. */

/** "Quote Q-118 Green Gardens": what a browser calls the file of a page that is printed into one. */
export function fileName({ kind, title, business, facts, client }: Sheet): string {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const what = { quote: 'Quote', pack: 'Quote', letter: 'Reminder', report: title ?? 'Report' }[kind];
  const parts = [what, number, kind === 'letter' ? (client[0] ?? '') : business];
  return parts.filter((part) => part !== '').join(' ');
}

/** Prints this document alone, of however many there are on the page, under its name. */
export function printButton(paper: HTMLElement): HTMLButtonElement {
  return button('Print or save as PDF', () => {
    const { title } = document;
    document.title = paper.dataset.file ?? title;
    paper.dataset.printing = '';
    addEventListener(
      'afterprint',
      () => {
        document.title = title;
        delete paper.dataset.printing;
      },
      { once: true },
    );
    window.print();
  });
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
  return elementOf(
    'details',
    'downloads',
    elementOf('summary', '', 'Download'),
    ...Object.entries(files).map(([ending, content]) => {
      const { label } = TYPES[ending as keyof typeof TYPES];
      return quietButton(label, () =>
        saveFile(paper.dataset.file ?? 'document', ending as keyof typeof TYPES, content()),
      );
    }),
  );
}

/** Saves a file under a name that every system takes. */
export function saveFile(name: string, ending: keyof typeof TYPES, content: string): void {
  const link = elementOf('a');
  link.href = URL.createObjectURL(new Blob([content], { type: `${TYPES[ending].type};charset=utf-8` }));
  link.download = `${name.replace(/[^\p{L}\p{N} ._-]/gu, '')}.${ending}`;
  link.click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
