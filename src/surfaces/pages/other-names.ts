import { stepQuery } from '../../catalog/operation.ts';
import type { PageName } from '../../operations/answers.ts';
import { movedTo, type Router } from '../http/router.ts';
import type { Site } from '../site.ts';

/** Other names that people use for a page. */
const OTHER_NAMES: Readonly<Record<string, PageName>> = {
  '/late-fee': 'late_fee',
  '/late-fee-calculator': 'late_fee',
  '/quote-calculator': 'quote_totals',
  '/late-fee-reminder': 'late_fee_notice',
  '/late-fee-notice': 'late_fee_notice',
  '/late-fee-letter': 'late_fee_notice',
  '/quote-pack': 'quote_pack',
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
  // With 308, a form sent by an older page is forwarded unchanged.
  const move = (from: string, to: string, step?: string): void => {
    const moved = movedTo(to, {}, 308);
    // Not stored behind the #, which would replace the fragment of the reader's link.
    router.on(['GET', 'POST'], from, (requested, segment) => {
      const query = [step && stepQuery(step), requested.query].filter(Boolean).join('&');
      return moved({ ...requested, query }, segment);
    });
  };
  for (const [from, name] of Object.entries(OTHER_NAMES)) {
    const page = operations.find((operation) => operation.name === name)?.page;
    if (page) move(from, page.path, page.step);
  }
  for (const [from, to] of Object.entries(OTHER_PAGES)) move(from, to);
}
