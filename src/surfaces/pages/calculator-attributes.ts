import { methodsOf } from '../../catalog/operation.ts';
import type { Site } from '../site.ts';
import { formOf } from './form-fields.ts';
import type { Placed } from './shell.tsx';

/** Attributes for the scripts of the page, and on free forms for agents in the browser (WebMCP). */
export function attributesOf(operation: Placed, site: Site): Readonly<Record<string, string>> {
  const { name, route, price, summary } = operation;
  return {
    'data-operation': name,
    ...nextStep(operation, site),
    ...carriesBack(operation, site),
    // By POST where possible, so that the values stay out of addresses.
    ...(route !== null && { 'data-method': methodsOf(route).at(-1) ?? '', 'data-route': route.path }),
    ...(price === null && { toolname: name, tooldescription: summary }),
  };
}

/** The paid operation that continues from a free answer, with the same fields. */
const NEXT: Readonly<Record<string, { readonly name: string; readonly says: string }>> = {
  quote_totals: { name: 'quote_pack', says: 'Make three options of it' },
};

function nextStep({ name }: Placed, { operations }: Site): Readonly<Record<string, string>> {
  const next = NEXT[name];
  const operation = operations.find((one) => one.name === next?.name);
  if (next === undefined || !operation?.page || !operation.price) return {};
  return { 'data-next': operation.page.path, 'data-next-says': `${next.says} (USD ${operation.price.usd})` };
}

/** The fields that the free page before this one has as well: what is written into them goes back there. */
function carriesBack({ name }: Placed, { operations }: Site): Readonly<Record<string, string>> {
  const before = operations.find((one) => NEXT[one.name]?.name === name);
  if (before === undefined) return {};
  const { fields, lists } = formOf(before);
  const known = [...fields, ...lists, ...lists.flatMap((list) => list.fields)];
  return { 'data-carries': known.map((field) => field.name).join(' ') };
}
