import { once } from '../../http/documents.ts';
import { SITE_NAME } from '../../site.ts';
import { assetText, islandText } from '../assets.ts';

const STYLES = ['style.css', 'late-invoice.css', 'documents.css', 'chat.css'];

/** Creates the document that shows an answer in a chat: a single file that loads nothing. */
export const chatDocument = (baseUrl: string): (() => string) =>
  once(() => {
    const script = islandText('chat');
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${SITE_NAME}</title>
<style>${STYLES.map(assetText).join('\n')}</style>
</head>
<body data-base-url="${escaped(baseUrl)}">
<main class="chat" aria-label="${SITE_NAME}"><p class="note">The figures are in the result of the tool.</p></main>
${script === null ? '' : `<script type="module">${inline(script)}</script>`}
</body>
</html>
`;
  });

/** A script that no text inside it can terminate early. */
const inline = (script: string): string => script.replace(/<(?=\/script|!--|script)/gi, '\\x3C');

const escaped = (text: string): string => text.replace(/[&"<]/g, (mark) => `&#${mark.charCodeAt(0)};`);
