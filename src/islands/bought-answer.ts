import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { paperIn } from '../surfaces/pages/documents/letterhead.ts';
import { blocksText } from '../surfaces/pages/plain-text.ts';
import { boughtViews } from '../surfaces/pages/views/bought.ts';
import { boughtPapers } from './bought-papers.ts';
import { elementOf, nodesOf } from './element.ts';
import { type PaperKind, paperwork } from './paperwork.ts';
import {
  type Answer,
  isLetterheadKept,
  keepLetterhead,
  keptLetterhead,
  onLetterheadElsewhere,
} from './pay/stored-purchases.ts';

type Kind = {
  readonly view: (body: unknown) => readonly Block[];
  readonly notes?: (body: unknown) => readonly Block[];
};

const views = boughtViews as unknown as Readonly<Record<string, Kind>>;
const papers = boughtPapers as unknown as Readonly<Record<string, PaperKind<unknown>>>;

/** A bought answer: the document to send or keep, and the owner's notes beside it; `text` is all of it. */
export function boughtAnswer(
  operation: string,
  answer: Answer,
): { readonly shown: HTMLElement; readonly text: () => string } {
  const { body, boughtMs, paper: came = '' } = answer;
  const shown = elementOf('div');
  const view = views[operation];
  const kind = papers[operation];
  try {
    if (view === undefined) throw new Error('No view');
    if (kind === undefined) shown.append(...rendered(view.view(body)));
    else {
      const kept = () => keptLetterhead(operation, answer);
      const paper = paperwork(kind, {
        stays: isLetterheadKept(operation, answer),
        came: paperIn(came).letterhead,
        onChange: (name) => {
          // The other fields may have been written in another tab.
          const written = paper.letterhead();
          const all = { ...(kept() ?? written), [name]: written[name] };
          paper.sayStays(keepLetterhead(operation, answer, all));
        },
      });
      const restore = () => {
        const letterhead = kept();
        if (letterhead !== null) paper.restore(letterhead);
      };
      paper.show(body, new Date(boughtMs).toISOString().slice(0, 10));
      restore();
      onLetterheadElsewhere(operation, answer, () => {
        if (shown.isConnected) restore();
        return shown.isConnected;
      });
      shown.append(paper.element, notesOf(view.notes?.(body) ?? []));
    }
    return { shown, text: () => blocksText(view.view(body), location.origin) };
  } catch {
    // A page may be older than the service that answered: what was paid for is shown at least as JSON.
    const code = JSON.stringify(body, null, 2);
    shown.replaceChildren(...rendered([{ code, language: 'json' }]));
    return { shown, text: () => code };
  }
}

const notesOf = (blocks: readonly Block[]): HTMLElement =>
  elementOf('section', 'notes', ...rendered([{ heading: 'For you alone' }, ...blocks]));

const rendered = (blocks: readonly Block[]) => nodesOf(Blocks({ blocks }));
