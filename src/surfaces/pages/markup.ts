import { type ComponentChildren, Fragment, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What an element or a component may hold. */
export type Child = ComponentChildren;

/** The HTML of components. Texts and attribute values are escaped. */
export const htmlOf = (child: VNode): string => renderToString(child);

/** Inserts HTML unescaped, on the server only. Pass only HTML that was rendered here or that needs no escaping. */
export const raw = (html: string): VNode => h(Fragment, { tpl: [html] } as object);
