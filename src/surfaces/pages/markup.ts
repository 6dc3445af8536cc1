import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** The valid content of an element or a component. */
export type Child = ComponentChildren;

/** The HTML of components. Texts and attribute values are escaped. */
export const htmlOf = (child: VNode): string => renderToString(child);
