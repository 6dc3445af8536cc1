import { READER_SCRIPTS } from './assets.ts';
import { htmlDocument } from './html.tsx';
import type { Place } from './shell.tsx';

/** The OpenAPI document in a reader that runs in the browser; who has no scripts is sent to the plain reference. */
export const referenceHtml = (place: Place): string =>
  htmlDocument(
    {
      path: '/docs/reference',
      title: 'API reader',
      description: 'The OpenAPI document with a menu, schemas and examples.',
    },
    place,
    <div id="reader">
      <p>
        This page needs JavaScript; the <a href="/docs">API reference</a> says the same without.
      </p>
    </div>,
    { scripts: READER_SCRIPTS, twin: '/docs.md' },
  );
