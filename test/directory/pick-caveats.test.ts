import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CategoriesFileSchema } from '../../src/directory/categories.ts';
import { readServed } from '../../src/directory/data.ts';
import { loadDirectory } from '../../src/directory/load.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import { BUSINESS_TYPES, type StackRequest } from '../../src/domain/stack-report-types.ts';

const folder = fileURLToPath(new URL('../../src/directory', import.meta.url));
const directory = loadDirectory(folder);
const { categories } = CategoriesFileSchema.parse(JSON.parse(readServed(folder).categories.text));

const requests: StackRequest[] = BUSINESS_TYPES.flatMap((businessType) =>
  [1, 5, 25].flatMap((teamSize) =>
    [false, true].flatMap((freeOnly) =>
      [[], ...categories.map(({ slug }) => [slug])].map((needs) => ({
        businessType,
        needs,
        teamSize,
        freeOnly,
        generatedOn: '2026-11-21',
      })),
    ),
  ),
);

/** 'need/tool' of every pick of every request, and the caveats of the tool's own listing. */
const picked = new Map<string, readonly string[]>();
for (const request of requests) {
  const result = stackReport(request, directory);
  for (const { need, tool } of result.ok ? result.report.picks : [])
    picked.set(`${need}/${tool.id}`, directory.find(tool.id)?.caveats ?? []);
}

/** Words that name the need; the plain ones say too little alone to be looked for. */
const tooPlain = new Set([
  'and',
  'free',
  'taking',
  'business',
  'point',
  'team',
  'base',
  'design',
  'customer',
]);
const stem = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
function wordsOf(need: string): string[] {
  const category = categories.find(({ slug }) => slug === need);
  const text = [need, category?.name ?? '', ...(category?.aliases ?? [])].join(' ').toLowerCase();
  return text
    .split(/[^a-z]+/)
    .map(stem)
    .filter((word) => word.length > 2 && !tooPlain.has(word));
}

const denial = /\b(?:paid|pay for|costs?|not|no|cannot|without|never)\b/i;

/** A clause that both names the need and says paid, no or not. */
const denies = (need: string, caveat: string) =>
  caveat
    .split(/[.;:](?=\s|$)/)
    .some(
      (clause) =>
        denial.test(clause) &&
        wordsOf(need).some((word) => new RegExp(`\\b${word}(?:s|es)?\\b`, 'i').test(clause)),
    );

const payrollRuns = 'the note of the category says that the picks plan shifts or keep records';
const ACCEPTABLE: Readonly<Record<string, string>> = {
  'accounting/gnucash': 'compares its bank feeds with those of paid services',
  'contracts_legal_templates/common-paper-nda': 'a template is not advice',
  'customer_support/zoho-desk-free': 'email tickets are free; phone and chat are not',
  'documents_office/onlyoffice-desktop-editors': 'only macros of Microsoft Office do not carry over',
  'email_marketing/brevo': 'the newsletter goes out, over several days',
  'invoicing/square-invoices': 'a plan named Invoices has the extras; sending is free',
  'newsletter_publishing/ghost': 'free on an own server; the hosted service is paid',
  'newsletter_publishing/substack': 'a share of subscriptions that readers pay for',
  'payments/mollie': 'a fee for each payment, no subscription',
  'payroll_hr/connecteam': payrollRuns,
  'payroll_hr/everhour-shifts-free': payrollRuns,
  'payroll_hr/orangehrm-starter': payrollRuns,
  'payroll_hr/sling': payrollRuns,
  'phone_voip/linphone': 'its kind says that the line comes from a provider',
  'phone_voip/zadarma-free-pbx': 'the exchange is free; calls cost money',
  'quotes_estimates/square-invoices': 'estimates are free; those of several packages are not',
  'time_tracking/jibble': 'timesheets are free; tracking by project is not',
};

const pickOf = (businessType: StackRequest['businessType'], teamSize: number | null, need: string) => {
  const request = { businessType, teamSize, needs: [need], freeOnly: false, generatedOn: '2026-11-21' };
  const result = stackReport(request, directory);
  return result.ok ? result.report.picks.find((pick) => pick.need === need) : undefined;
};

describe('the caveats of a pick', () => {
  test('never say that the very need is paid or missing', () => {
    const denied = [...picked].filter(([key, caveats]) =>
      caveats.some((caveat) => denies(key.split('/')[0] ?? '', caveat)),
    );
    expect(denied.filter(([key]) => ACCEPTABLE[key] === undefined)).toEqual([]);
    expect(denied.length).toBeGreaterThan(0);
  });

  test.each([
    ['knowledge_base', 'Time tracking, the wiki and templates are in paid plans.', true],
    ['file_storage', 'Cloud storage costs extra.', true],
    ['knowledge_base', 'Time tracking is paid. The wiki is free.', false],
  ])('%s: %s', (need, caveat, expected) => {
    expect(denies(need, caveat)).toBe(expected);
  });

  test('are borne out by the kinds: a tool is picked only for what it does', () => {
    expect(picked.has('knowledge_base/plane')).toBe(false);
    expect(picked.has('photo_video_audio/obs-studio')).toBe(false);
    expect(picked.has('expenses_receipts/actual-budget')).toBe(false);
    expect(picked.has('file_storage/ente-photos')).toBe(false);
  });

  test('a safe for one person is no drive for a team, nor the pick when no team size is given', () => {
    for (const type of BUSINESS_TYPES)
      for (const teamSize of [null, 2, 5]) {
        const pick = pickOf(type, teamSize, 'file_storage');
        expect([type, teamSize, pick?.tool.id]).not.toEqual([type, teamSize, 'ente-locker']);
      }
  });

  test('a checkout for digital goods is for creators, not for consultants', () => {
    expect(pickOf('creator', 1, 'payments')?.tool.id).toBe('gumroad');
    expect(pickOf('consultant', 1, 'payments')?.tool.id).toBe('square-invoices');
  });

  test('video: the pick says that it edits sound, and video editing is no name for the category', () => {
    expect(pickOf('creator', 1, 'photo_video_audio')?.caveats).toContainEqual(
      expect.stringMatching(/^The only pick here edits sound/),
    );
    expect(directory.category('video_editing')).toBeNull();
  });
});
