import type { Method } from '../../../catalog/operation.ts';
import type { Routed } from '../../site.ts';

const componentName = ({ operationId }: Routed, suffix: string): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${suffix}`;

/** The operationId under a method; the route's own method has the plain name. */
export const operationIdOf = ({ operationId, route }: Routed, method: Method): string =>
  method === route.method ? operationId : `${operationId}ByPost`;
/** The component schema of an operation's body. */
export const inputName = (operation: Routed): string => componentName(operation, 'Input');
/** The component schema of an operation's answer. */
export const answerName = (operation: Routed): string => componentName(operation, 'Answer');
