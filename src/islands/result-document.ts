import { dayText, utcDay } from '../domain/calendar.ts';
import {
  BLANK,
  type Letterhead,
  paperIn,
  paperQuery,
  withoutPaper,
} from '../surfaces/pages/documents/letterhead.ts';
import type { PaperKind, Paperwork } from './paperwork.ts';
import { debounced } from './timing.ts';

/** The module that makes the document of an answer, loaded when it is needed. */
export type PaperModule = {
  readonly kind: PaperKind<unknown>;
  readonly paperwork: typeof import('./paperwork.ts').paperwork;
};

/** Continues with an editable copy of a document that was shared read-only. */
function editCopy(): void {
  const query = location.hash.slice(1);
  const { letterhead } = paperIn(query);
  const copy = [withoutPaper(query), paperQuery({ letterhead, issuedOn: null })].map(String).filter(Boolean);
  history.replaceState(null, '', `#${copy.join('&')}`);
  location.reload();
}

export type ResultDocument = ReturnType<typeof resultDocument>;

/** The document below the calculator: edited while its result changes, or shown read-only. */
export function resultDocument(
  calculator: { readonly paper?: () => Promise<PaperModule> },
  onChange: () => void,
) {
  let letterhead: Letterhead = BLANK;
  let share = () => '';
  let loading: Promise<Paperwork<unknown>> | null = null;
  const load = async (from: () => Promise<PaperModule>): Promise<Paperwork<unknown>> => {
    const { paperwork, kind } = await from();
    const paper = paperwork(kind, {
      onChange: () => {
        letterhead = paper.letterhead();
        onChange();
      },
      share: () => share(),
      edit: editCopy,
    });
    document.querySelector('#document')?.replaceChildren(paper.element);
    return paper;
  };
  /** Afterwards the letterhead also holds the remembered details of the business. */
  const write = (paper: Paperwork<unknown>, written: Letterhead): void => {
    paper.write(written);
    letterhead = paper.letterhead();
  };
  const put = async (body: unknown, day: string): Promise<Paperwork<unknown> | null> => {
    if (calculator.paper === undefined) return null;
    const isNew = loading === null;
    loading ??= load(calculator.paper);
    const paper = await loading;
    paper.show(body, day);
    if (isNew) write(paper, letterhead);
    return paper;
  };
  return {
    hasPaper: calculator.paper !== undefined,
    letterhead: () => letterhead,
    show: debounced(150, (body: unknown) => void put(body, dayText(utcDay(Date.now()))).then(onChange)),
    write(written: Letterhead): void {
      letterhead = written;
      void loading?.then((paper) => write(paper, written));
    },
    async read(body: unknown, written: Letterhead, day: string): Promise<void> {
      letterhead = written;
      const paper = await put(body, day);
      paper?.read(written);
    },
    onShare(made: () => string): void {
      share = made;
    },
  };
}
