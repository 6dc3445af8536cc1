import type { AnswerOf, PageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { lateFeeView } from '../documents/late-fee.ts';
import { quoteView } from '../documents/quote.ts';
import type { FieldText } from '../form-texts.ts';
import { boughtViews, type View } from './bought.ts';
import { directoryView } from './directory.ts';
import { listingView } from './listing.ts';

const views: { readonly [Name in PageName]: View<AnswerOf<Name>> } = {
  quote_totals: { view: quoteView },
  late_fee: { view: lateFeeView },
  list_tools: { view: directoryView },
  tool: { view: listingView },
  ...boughtViews,
};

const of = (operation: string) => views[operation as PageName] as View<never>;

/** The view for answers of an operation. The body must come from that operation. */
export const viewOf = (operation: string): ((body: unknown) => readonly Block[]) =>
  of(operation).view as (body: unknown) => readonly Block[];

/** How a page shows the example answer: in full, unless its view has a `sample`. */
export const sampleOf = (operation: string): ((body: unknown) => readonly Block[]) =>
  (of(operation).sample ?? of(operation).view) as (body: unknown) => readonly Block[];

/** Texts of the fields that only this operation's form has. */
export const fieldTextsOf = (operation: string): Readonly<Record<string, FieldText>> =>
  of(operation).fields ?? {};
