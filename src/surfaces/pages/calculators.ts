import type { Outcome } from '../../exchange/purchase.ts';
import { type CallsParts, type SurfaceParts, takeCall } from '../calls/calls.ts';
import { MAX_BODY_BYTES, readForm } from '../http/input.ts';
import type { Reply, Requested } from '../http/listener.ts';
import { problemReply } from '../http/reply.ts';
import type { Router } from '../http/router.ts';
import { type ProblemCode, problem } from '../problem.ts';
import type { Site } from '../site.ts';
import { type Calculator, EMPTY, pageOwners, ROWS, type Shown } from './calculator.tsx';
import { paperIn } from './documents/letterhead.ts';
import { faultHtml, pleaseWait, wantsPage } from './fault-pages.ts';
import { type FormModel, formOf } from './form-fields.ts';
import { readWritten } from './form-reading.ts';
import { formValues, rawValues } from './form-values.ts';
import { lateInvoiceHtml } from './late-invoice/late-page.tsx';
import { privateHeaders } from './page-documents.ts';
import { planHtml } from './plan/plan-page.tsx';
import { quoteHtml } from './quote/quote-page.tsx';
import { paperName } from './quote/quote-state.ts';
import { viewOf } from './views/views.ts';
import { groupingOf } from './written-number.ts';

export type CalculatorParts = CallsParts & Pick<SurfaceParts, 'callerOf'> & { readonly site: Site };

/**
 * Answers a submitted form for browsers without scripts. Its values are in the body, or in the query of a link, and go
 * through the exchange like every other call. A request without values goes to the next handler, which serves the
 * document.
 */
export function mountCalculators(router: Router, parts: CalculatorParts): void {
  for (const operation of pageOwners(parts.site.operations)) {
    const { path } = operation.page;
    const form = formOnPage(operation, parts.site);
    const isKnown = knownNames(form);
    const own = formOf(operation);
    const isOwn = knownNames(own);
    const known = (pairs: Iterable<readonly [string, string]>): Pairs =>
      [...pairs].filter(([name]) => isKnown(name) || name === 'rows' || paperName(name) !== null);
    const sent = privateHeaders(path, parts.site.baseUrl);
    const reply = (body: string, status: number, headers = {}): Reply => ({
      status,
      headers: { ...sent, ...headers },
      body,
    });
    const html = formPageHtml(operation, parts.site);
    const limited = pleaseWait(operation.page, parts.site);
    const notTaken = formNotTaken(operation.page, parts.site, sent);
    const answer = async (requested: Requested, read: () => Promise<Pairs | Reply>) => {
      let shown = EMPTY;
      // Rendering a page costs more than most answers, so every request counts, including requests for paid operations.
      const asked = { operation, caller: parts.callerOf(requested), isCounted: true };
      const taken = await takeCall(asked, parts, async () => {
        const pairs = await read();
        if ('status' in pairs) return { refusal: pairs };
        shown = written(form, pairs);
        // The call is without the fields that only the next step has.
        const { values, faults } = readWritten(own, formValues(pairs, isOwn), groupingIn(requested));
        // The user only requested more lines.
        if (pairs.some(([name]) => name === 'rows')) return { refusal: reply(html(shown), 200) };
        return { raw: { values: rawValues(values), faults }, payment: null };
      });
      if ('refusal' in taken) return taken.refusal;
      const { outcome } = taken;
      if (outcome.state === 'limited') {
        const seconds = outcome.retryAfterSeconds;
        const by = requested.method === 'POST' ? 'form' : 'link';
        return reply(limited(seconds, by), 429, { 'retry-after': String(seconds) });
      }
      const found = shownOf(outcome, operation, { shown, isPlayMoney: parts.site.playMoneyKey !== null });
      return reply(html(found.shown), found.status);
    };
    router.on(['GET'], path, (requested) => {
      const pairs = known(new URLSearchParams(requested.query));
      return pairs.every(([name]) => paperName(name) !== null) ? null : answer(requested, async () => pairs);
    });
    router.on(['POST'], path, (requested) =>
      answer(requested, async () => {
        const read = await readForm(requested);
        return 'refusal' in read ? notTaken(read.refusal, requested.header('accept')) : known(read.pairs);
      }),
    );
  }
}

/** The page of an operation, filled with the submitted values. */
export const formPageHtml = (operation: Calculator, site: Site): ((shown?: Shown) => string) =>
  (PAGES[operation.name] ?? planHtml)(operation, site);

/** Pages with their own application. Every other form uses the page of a plan. */
const PAGES: Readonly<Record<string, typeof planHtml>> = {
  late_fee: lateInvoiceHtml,
  quote_totals: quoteHtml,
};

/** The form of a page: the form of its operation, with the fields of the following step. */
const formOnPage = (operation: Calculator, { operations }: Site): FormModel =>
  formOf(operations.find(({ name }) => name === LAST_STEPS[operation.name]) ?? operation);

const LAST_STEPS: Readonly<Record<string, string>> = {
  late_fee: 'late_fee_notice',
  quote_totals: 'quote_pack',
};

/** How the visitor's language groups digits, by the Accept-Language header. */
const groupingIn = ({ header }: Requested) => groupingOf(header('accept-language')?.split(/[,;]/)[0]?.trim());

type Pairs = readonly (readonly [string, string])[];

const knownNames = ({ fields, lists }: FormModel): ((name: string) => boolean) => {
  const names = new Set([...fields, ...lists.flatMap((list) => list.fields)].map(({ name }) => name));
  return (name) => names.has(name);
};

type Answered = { status: number; shown: Shown };

/** The submitted values, with the requested number of lines. */
function written(form: FormModel, pairs: Pairs): Shown {
  const asked = Number(pairs.find(([name]) => name === 'rows')?.[1]);
  const rows = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 100) : ROWS;
  const { letterhead } = paperIn(String(new URLSearchParams(pairs.map(([name, value]) => [name, value]))));
  return { ...EMPTY, values: formValues(pairs, knownNames(form)), letterhead, rows };
}

/** The result of an unpaid call, as a page shows it. */
function shownOf(
  outcome: Exclude<Outcome, { state: 'limited' }>,
  operation: Calculator,
  { shown, isPlayMoney }: { readonly shown: Shown; readonly isPlayMoney: boolean },
): Answered {
  const page = (status: number, more: Partial<Shown>): Answered => ({ status, shown: { ...shown, ...more } });
  switch (outcome.state) {
    case 'served':
    case 'settled':
      return page(200, {
        answer: [{ heading: 'Result' }, ...viewOf(operation.name)(outcome.body)],
        body: outcome.body,
      });
    case 'rejected':
      return page(400, { faults: outcome.faults });
    case 'challenged':
      return page(200, {
        notice: `The form is filled in correctly, so your document can be made. It costs USD ${operation.price?.usd}. To pay here, your browser needs JavaScript${isPlayMoney ? '' : ' and a wallet'}; programs pay as shown below.`,
      });
    case 'conflict':
    case 'missing':
      return page(200, { notice: outcome.detail });
    case 'unavailable':
    case 'failed':
      return page(500, { notice: 'Something went wrong on our side. Nothing was charged.' });
  }
}

/** The title and the texts of a page about a form that was rejected. */
const WORDS: Readonly<Partial<Record<ProblemCode, readonly [title: string, ...texts: string[]]>>> = {
  payload_too_large: [
    'That was too much text',
    `What you wrote is more than ${MAX_BODY_BYTES / 1024} KB as your browser sends it, and we accept no more than that. Nothing was charged.`,
    'Please go back with your browser’s Back button. Most browsers still have what you wrote. Shorten the texts or leave out some lines, then send the form again.',
  ],
  unsupported_media_type: [
    'That was not sent as a form',
    'This address accepts only forms, and what arrived here was not sent as a form. Nothing was charged.',
  ],
};

const BROKEN_OFF = [
  'The form did not arrive completely',
  'The connection broke off before the whole form had arrived. Nothing was charged.',
  'Please reload this page, and say yes if your browser asks whether to send the form again.',
] as const;

/** Answers a form whose body was rejected: with a page for people, and with a problem for programs. */
function formNotTaken(
  { path, heading }: { readonly path: string; readonly heading: string },
  site: Site,
  headers: Readonly<Record<string, string>>,
): (code: ProblemCode, accept: string | undefined) => Reply {
  return (code, accept) => {
    const found = problem(site.baseUrl, code);
    if (!wantsPage(accept)) return problemReply(found, { vary: 'Accept' });
    const [title, ...texts] = WORDS[code] ?? BROKEN_OFF;
    const back = { text: ['The form: ', { link: heading, href: path }, '.'] };
    const html = faultHtml({ title, blocks: [...texts.map((text) => ({ text })), back] }, site);
    return { status: found.status, headers: { ...headers, vary: 'Accept' }, body: html };
  };
}
