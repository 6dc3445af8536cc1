import type { Operation } from '../../../catalog/operation.ts';
import type { AnswerOf, PageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { lateFeeView } from '../documents/late-fee.ts';
import { quoteView } from '../documents/quote.ts';
import type { FieldText } from '../form-texts.ts';
import { blocksMarkdown } from '../markdown.ts';
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

/**
 * Adds the text of its page to an operation whose answers come in several formats: as MCP text, and in its JSON on
 * request.
 */
export const withText =
  (baseUrl: string) =>
  (operation: Operation): Operation => {
    const { form, name, page } = operation;
    if (form === null || page === null) return operation;
    const text = (body: unknown) => blocksMarkdown(viewOf(name)(body), baseUrl);
    return {
      ...operation,
      text,
      run(input, context) {
        const answer = operation.run(input, context);
        const isWanted = (input as Readonly<Record<string, unknown>>)[form] === 'markdown';
        if (answer.kind !== 'answer' || !isWanted) return answer;
        const body = answer.body as object;
        return { ...answer, body: { ...body, markdown: text(body) } };
      },
    };
  };
