import type { Operation } from '../../catalog/operation.ts';
import { blocksMarkdown } from './markdown.ts';
import { viewOf } from './views/views.ts';

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
