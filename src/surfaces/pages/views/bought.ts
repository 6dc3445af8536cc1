import type { AnswerOf, PaidPageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { reportNotes, reportSample, reportView } from '../documents/report.ts';
import type { FieldText } from '../form-texts.ts';
import { letterNotes, letterView } from './letter.ts';
import { packNotes, packView } from './pack.ts';

/** How a page shows an operation: `view` shows a whole answer, and `sample` a part of the example answer. */
export type View<Body> = {
  readonly view: (body: Body) => readonly Block[];
  readonly sample?: (body: Body) => readonly Block[];
  /** Texts for fields that no other page has, or that have a different meaning here. */
  readonly fields?: Readonly<Record<string, FieldText>>;
};

type Bought<Body> = View<Body> & {
  readonly heading: string;
  /** Notes for the owner, shown next to an answer that is a document. */
  readonly notes?: (body: Body) => readonly Block[];
};

/** The views of paid operations by name, for the script of the page, the page itself and the text. */
export const boughtViews: { readonly [Name in PaidPageName]: Bought<AnswerOf<Name>> } = {
  late_fee_notice: {
    heading: 'Your reminder',
    view: letterView,
    notes: letterNotes,
  },
  quote_pack: {
    heading: 'Your quote pack',
    view: packView,
    notes: packNotes,
    fields: { trade: { label: 'Your trade', help: 'Adds ideas for your trade to the notes.', isMore: true } },
  },
  small_business_stack_report: {
    heading: 'Your software plan',
    view: reportView,
    notes: reportNotes,
    sample: reportSample,
  },
};
