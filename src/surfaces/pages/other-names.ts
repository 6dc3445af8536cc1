import type { PageName } from '../../operations/answers.ts';
import { movedTo, type Router } from '../http/router.ts';
import type { Site } from '../site.ts';

/** Other names under which people look for a page. */
const OTHER_NAMES: Readonly<Record<string, PageName>> = {
  '/late-fee': 'late_fee',
  '/late-fee-calculator': 'late_fee',
  '/quote-calculator': 'quote_totals',
  '/late-fee-reminder': 'late_fee_notice',
  '/late-fee-notice': 'late_fee_notice',
  '/late-fee-letter': 'late_fee_notice',
  '/stack-report': 'small_business_stack_report',
};
const OTHER_PAGES: Readonly<Record<string, string>> = {
  '/prices': '/#prices',
  '/pricing': '/#prices',
  '/privacy': '/legal#privacy',
  '/terms': '/legal#terms',
  '/security': '/legal#security',
  '/api': '/developers',
  '/docs/reference': '/docs',
};

/** Redirects other names permanently to their page, with the query or the body, which may be a filled form. */
export function mountOtherNames(router: Router, { operations }: Site): void {
  const pathOf = (name: PageName) => operations.find((operation) => operation.name === name)?.page?.path;
  const moved = [
    ...Object.entries(OTHER_NAMES).map(([from, name]) => [from, pathOf(name)] as const),
    ...Object.entries(OTHER_PAGES),
  ];
  // By 308 a form that is sent by an older page is sent on as it is.
  for (const [from, to] of moved)
    if (to !== undefined) router.on(['GET', 'POST'], from, movedTo(to, {}, 308));
}
