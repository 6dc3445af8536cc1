import { dayText, utcDay } from '../domain/calendar.ts';
import {
  BLANK,
  type Letterhead,
  paperIn,
  paperQuery,
  withoutPaper,
} from '../surfaces/pages/documents/letterhead.ts';
import { writeAddress } from './carry.ts';
import { elementOf } from './element.ts';
import { loadLater, missingDocument } from './missing-document.ts';
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
  writeAddress(`#${copy.join('&')}`);
  location.reload();
}

/** Loads the style of documents, which no page needs before its first document. */
async function styled(place: HTMLElement | null): Promise<void> {
  const href = place?.dataset.style;
  if (href === undefined) return;
  const style = Object.assign(elementOf('link'), { rel: 'stylesheet', href });
  try {
    await new Promise((resolve, reject) => {
      style.onload = resolve;
      style.onerror = reject;
      document.head.append(style);
    });
    delete place?.dataset.style;
  } catch (error) {
    style.remove();
    throw error;
  }
}

/** Called when something was written onto the document, and for the address that shares it. */
export type Hooks = { readonly onChange: () => void; readonly share: () => string };

export type ResultDocument = ReturnType<typeof resultDocument>;

/** The document below the calculator: edited while its result changes, or shown read-only. */
export function resultDocument(paperModule: () => Promise<PaperModule>, { onChange, share }: Hooks) {
  let letterhead: Letterhead = BLANK;
  let loading: Promise<Paperwork<unknown>> | null = null;
  const place = document.querySelector<HTMLElement>('#document');
  const sayMissing = missingDocument(place);
  const load = async (): Promise<Paperwork<unknown>> => {
    const [{ paperwork, kind }] = await loadLater(() => Promise.all([paperModule(), styled(place)]));
    const paper = paperwork(kind, {
      onChange: () => {
        letterhead = paper.letterhead();
        onChange();
      },
      share,
      edit: editCopy,
    });
    place?.replaceChildren(paper.element);
    return paper;
  };
  /** Afterwards the letterhead also holds the remembered details of the business. */
  const write = (paper: Paperwork<unknown>, written: Letterhead): void => {
    paper.write(written);
    letterhead = paper.letterhead();
  };
  type Then = (paper: Paperwork<unknown>) => void;
  const put = async (body: unknown, day: string, then: Then): Promise<void> => {
    const isNew = loading === null;
    loading ??= load();
    const paper = await loading.catch(() => null);
    if (paper === null) {
      loading = null;
      sayMissing(() => put(body, day, then));
      return;
    }
    paper.show(body, day);
    if (isNew) write(paper, letterhead);
    then(paper);
  };
  return {
    letterhead: () => letterhead,
    show: debounced(150, (body: unknown) => void put(body, dayText(utcDay(Date.now())), onChange)),
    write(written: Letterhead): void {
      letterhead = written;
      void loading?.then(
        (paper) => write(paper, written),
        () => {},
      );
    },
    async read(body: unknown, written: Letterhead, day: string): Promise<void> {
      letterhead = written;
      await put(body, day, (paper) => paper.read(written));
    },
  };
}
