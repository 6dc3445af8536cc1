import { boughtViews } from '../surfaces/pages/views/bought.ts';
import type { PurchaseRequest } from './request.ts';

const views: Readonly<Partial<Record<string, (typeof boughtViews)[keyof typeof boughtViews]>>> = boughtViews;

/** What to know of an answer before paying for it, by what its request asks for and the letterhead that came along. */
export function beforePaying({ request: { url, body }, paper }: PurchaseRequest): readonly string[] {
  const operation = document.querySelector<HTMLElement>('#form')?.dataset.operation ?? '';
  const letterhead = new URLSearchParams(paper);
  const values: Readonly<Record<string, unknown>> =
    body === null
      ? Object.fromEntries(new URL(url, location.href).searchParams)
      : (JSON.parse(body) as Record<string, unknown>);
  const before = views[operation]?.before ?? (() => []);
  return before((name) => (name in values ? String(values[name]) : letterhead.get(name)));
}
