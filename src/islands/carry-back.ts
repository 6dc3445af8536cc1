import { inNameOf, paperIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { valuesQuery } from '../surfaces/pages/form-values.ts';
import { type Desk, isUnderWay } from './draft.ts';
import { isUntouched, writtenIn } from './form.ts';
import { isKeeping } from './pay/storage.ts';

/** The values of a form that is paid for that its free calculator knows, and the letterhead; empty where nothing is kept. */
export function carriedBack(form: HTMLFormElement, { paper }: Desk): string {
  if (!isKeeping() || isUntouched(form) || !isUnderWay()) return '';
  const known = (form.dataset.carries ?? '').split(' ');
  const { fields, lists } = writtenIn(form);
  const only = <Value>(values: Readonly<Record<string, Value>>, list = '') =>
    Object.fromEntries(Object.entries(values).filter(([name]) => known.includes(list + name)));
  const rows = Object.entries(lists).map(([name, all]) => [name, all.map((row) => only(row, `${name}.`))]);
  const business = fields.business_name ?? '';
  const letterhead = inNameOf(business, paperIn(paper).letterhead);
  return [
    valuesQuery({ fields: only(fields), lists: Object.fromEntries(rows) }),
    paperQuery({ letterhead: { ...letterhead, business }, issuedOn: null }),
  ]
    .filter(Boolean)
    .join('&');
}
