import type { z } from 'zod';
import type { Immutable } from '../catalog/operation.ts';
import type { Served } from './catalog.ts';

/** The answer of an operation: `AnswerOf<'late_fee'>`. */
export type AnswerOf<Name extends Served['name']> = Immutable<
  z.input<Extract<Served, { readonly name: Name }>['output']>
>;

type Paged<Of> = Of extends { readonly page: null } ? never : Of;

/** An operation with a page for people. */
export type PageName = Paged<Served>['name'];

/** A paid operation with a page for people. */
export type PaidPageName = Exclude<Paged<Served>, { readonly price: null }>['name'];
