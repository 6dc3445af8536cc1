import type { AnswerOf, PaidPageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { letterNotes, letterView } from './letter.ts';
import { packNotes, packView } from './pack.ts';
import { reportNotes, reportSample, reportView } from './report.ts';

/** How the answers of an operation are shown: `view` all of one, `sample` what a page shows of the documented one. */
export type View<Body> = {
  readonly view: (body: Body) => readonly Block[];
  readonly sample?: (body: Body) => readonly Block[];
};

type Bought<Body> = View<Body> & {
  readonly heading: string;
  /** What its owner should know of an answer that is a document, beside it. */
  readonly notes?: (body: Body) => readonly Block[];
};

/** What was paid for, by the name of its operation: in the script of the page, in the page and as text. */
export const boughtViews: { readonly [Name in PaidPageName]: Bought<AnswerOf<Name>> } = {
  late_fee_notice: { heading: 'Your reminder', view: letterView, notes: letterNotes },
  quote_pack: { heading: 'Your quote pack', view: packView, notes: packNotes },
  small_business_stack_report: {
    heading: 'Your report',
    view: reportView,
    notes: reportNotes,
    sample: reportSample,
  },
};
