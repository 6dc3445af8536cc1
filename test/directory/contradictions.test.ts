import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { COUNTRY_CODES } from '../../src/domain/regions.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import type { StackRequest } from '../../src/report/shelf.ts';
import { categories, directory } from '../support/directory.ts';

const slugs = categories.categories.map(({ slug }) => slug);

/** The same callers in every run: a generator of Marsaglia's xorshift family, without a clock. */
function* askers(count: number): Generator<StackRequest> {
  let state = 20_261_122;
  const below = (limit: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  for (let index = 0; index < count; index += 1)
    yield {
      businessType: one(BUSINESS_TYPES),
      teamSize: one([null, 1, 2, 3, 4, 6, 9, 11, 14, 18, 25, 40]),
      country: below(8) === 0 ? null : one(COUNTRY_CODES),
      needs: Array.from({ length: below(5) }, () => one(slugs)),
      freeOnly: below(2) === 0,
      generatedOn: directory.lastChecked,
    };
}

const reports = [...askers(4_000)].flatMap((asker) => {
  const result = stackReport(asker, directory);
  return result.ok ? [{ asker, report: result.report }] : [];
});
const picked = ({ picks }: StackReport, need: string) =>
  picks.find((pick) => pick.need === need)?.tool.id ?? null;

/** Returns at most five callers whose report contradicts itself. */
const atOdds = (isWrong: (report: StackReport, asker: StackRequest) => boolean) =>
  reports
    .filter(({ asker, report }) => isWrong(report, asker))
    .slice(0, 5)
    .map(({ asker }) => JSON.stringify(asker));

describe('thousands of generated reports', () => {
  test('cover enough cases', () => {
    expect(reports.length).toBeGreaterThan(3_800);
  });

  test('suggest no chat window or visitor counter for a site that no pick provides', () => {
    const windows = new Set(['tawk-to', 'crisp-free', 'tidio-free', 'google-analytics', 'microsoft-clarity']);
    expect(
      atOdds((report, { businessType }) => {
        const hasShop = picked(report, 'online_store') !== null;
        return businessType !== 'agency' && !hasShop && report.picks.some(({ tool }) => windows.has(tool.id));
      }),
    ).toEqual([]);
  });

  test('count a shop’s visitors only if the shop is known to allow a counter', () => {
    expect(
      atOdds(
        (report, { businessType }) =>
          businessType !== 'agency' &&
          picked(report, 'analytics') !== null &&
          picked(report, 'online_store') !== 'payhip',
      ),
    ).toEqual([]);
  });

  test('keep invoices in Zoho Books or Wave if the books are kept there, except with the tool for cards or quotes', () => {
    expect(
      atOdds((report) => {
        const invoices = picked(report, 'invoicing');
        const books = picked(report, 'accounting');
        return (
          ['zoho-books-free', 'wave-starter'].includes(books ?? '') &&
          invoices !== null &&
          invoices !== books &&
          invoices !== 'square-invoices' &&
          invoices !== picked(report, 'quotes_estimates')
        );
      }),
    ).toEqual([]);
  });

  test('never pick both Google Workspace for Nonprofits and Google Drive for a charity', () => {
    expect(
      atOdds(({ picks }) => {
        const ids = picks.map(({ tool }) => tool.id);
        return ids.includes('google-workspace-nonprofits') && ids.includes('google-drive');
      }),
    ).toEqual([]);
  });

  test('take cards with Square if the point of sale is from Square', () => {
    expect(
      atOdds((report) => {
        const payments = picked(report, 'payments');
        return (
          picked(report, 'point_of_sale') === 'square-pos-free' &&
          payments !== null &&
          !payments.startsWith('square')
        );
      }),
    ).toEqual([]);
  });

  test('never send a shop owner to a marketplace, and mention a shop only if there is one', () => {
    expect(
      atOdds((report) => {
        const hasShop = picked(report, 'online_store') !== null;
        const words = JSON.stringify(report.unmet);
        return hasShop && words.includes('market place');
      }),
    ).toEqual([]);
    expect(
      atOdds((report) => {
        const isUnmet = report.unmet.some(({ need }) => need === 'online_store');
        const belongs = report.picks.some(({ why }) =>
          /belongs to the shop|the shop counts/.test(why.join(' ')),
        );
        return isUnmet && belongs;
      }),
    ).toEqual([]);
  });

  test('use an account only after the step that opens it, and have no step for a need without a pick', () => {
    expect(
      atOdds(({ getting_started, picks }) => {
        const needs = new Set(picks.map(({ need }) => need));
        const opened = new Set<string>();
        return getting_started.some(({ text, needs: own }) => {
          const used = /With your (.+?), set up/.exec(text)?.[1];
          for (const [, account] of text.matchAll(/(?:Open a|Sign up with) (.+?)(?: and set up| to )/g))
            if (account !== undefined) opened.add(account);
          return (used !== undefined && !opened.has(used)) || own.some((need) => !needs.has(need));
        });
      }),
    ).toEqual([]);
  });

  test('never say unlimited if each person needs an account', () => {
    expect(
      atOdds(({ picks }) =>
        picks.some(
          ({ why, caveats }) =>
            why.includes('No limit on the number of people.') &&
            /own account|account of their own/.test(caveats.join(' ')),
        ),
      ),
    ).toEqual([]);
  });

  test('do not repeat the pick or an alternative as a well-known tool', () => {
    expect(
      atOdds(({ picks }) =>
        picks.some(({ tool, alternatives, also_well_known = [] }) => {
          const names = new Set([tool, ...alternatives].map(({ name }) => name));
          return also_well_known.some(({ name }) => names.has(name));
        }),
      ),
    ).toEqual([]);
  });
});
