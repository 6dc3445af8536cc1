import { h, hydrate, render } from 'preact';
import type { Fault } from '../domain/result.ts';
import { reportBefore } from '../surfaces/pages/documents/report.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { formValues, rawValues } from '../surfaces/pages/form-values.ts';
import { regionOf } from '../surfaces/pages/money-of-regions.ts';
import { kindOf, PlanApp, type PlanData, type PlanProps } from '../surfaces/pages/plan/plan-app.tsx';
import { boughtOf } from '../surfaces/pages/views/bought.ts';
import { groupingOf } from '../surfaces/pages/written-number.ts';
import { orNull } from './or-null.ts';
import { keepAddress, UNDO_MS, writeAddress } from './page.ts';
import { mountBought } from './pay/bought.ts';
import { mountPay } from './pay/mount.ts';
import { requestOf, valuesOf } from './pay/request.ts';
import { isKeeping } from './pay/storage.ts';
import { typedEarly } from './typed-early.ts';

/* The page of a paid form, such as a software plan: a few questions, the payment sheet, and the purchase. */

type Values = Readonly<Record<string, string>>;
type Sent = { readonly values: Values; readonly faults: readonly Fault[] };

// Each page has its own draft, stored under its address.
const DRAFT = location.pathname === '/plan' ? 'draft.plan' : `draft.${location.pathname}`;

function start(
  root: HTMLElement,
  dialog: HTMLDialogElement,
  result: HTMLElement,
  data: PlanData,
  sent: Sent,
): void {
  const { form } = data;
  const served = { ...data, ...sent, undoing: null, acts: null };
  const writeEarly = typedEarly(root);
  hydrate(h(PlanApp, served), root);
  let values: Values = sent.values;
  let faults: readonly Fault[] = sent.faults;
  let undoing: PlanProps['undoing'] = null;
  const isSent = Object.values(values).some((value) => value !== '');
  if (!isSent) values = keptDraft() ?? proposed();

  const draw = (): void => {
    render(h(PlanApp, { ...data, values, faults, undoing, acts }), root);
  };
  const set = (changed: Values): void => {
    values = changed;
    keepDraft(values);
    pay.changed();
    draw();
  };
  const acts: PlanProps['acts'] = {
    write: (name, value) => {
      if (value !== (values[name] ?? '')) set({ ...values, [name]: value });
    },
    ask: () => void ask(),
  };
  const showFaults = (found: readonly Fault[]): void => {
    faults = found;
    draw();
    root.querySelector<HTMLElement>('#faults a')?.focus();
  };
  /** The input of the form, with the business type of its trade, and the unreadable numbers. */
  function wanted() {
    const kind = kindOf(values.trade ?? '', data.trades);
    const asWritten = { fields: { ...values, ...(kind !== null && { business_type: kind }) }, lists: {} };
    const read = readWritten(form, asWritten, groupingOf(navigator.language));
    const request = requestOf(data.method, data.route, rawValues(read.values));
    return { purchase: { request, about: summaryOf(values, data) }, unread: read.faults };
  }
  function ask(): Promise<void> | undefined {
    const { purchase, unread } = wanted();
    if (unread.length > 0) {
      showFaults(unread);
      return undefined;
    }
    faults = [];
    draw();
    return pay.ask(purchase);
  }
  const pay = mountPay(dialog, {
    onFaults: showFaults,
    onBought: (order, body, transaction) => bought.add(order, body, transaction),
    bringUp: (name) => bought.bringUp(name),
    askAnew: () => void ask(),
    goodsOf: ({ about, request }) => {
      const { heading } = boughtOf(pay.shop.operation);
      const asked = valuesOf(request);
      const notes = reportBefore((name) => (name in asked ? String(asked[name]) : null));
      return { title: heading, about, notes };
    },
    onKeepNothing: forgetDraft,
    ...(data.trades.length > 0 && {
      free: {
        says: 'See the free tools',
        async act() {
          location.assign('/tools');
          return null;
        },
      },
    }),
  });
  pay.offerPrompt(() => wanted().purchase);
  const bought = mountBought(result, pay.shop);

  /** Opens the values of a link in place of the current input; false if it holds none for this form. */
  function open(): boolean {
    const pairs = new URLSearchParams(location.hash.slice(1));
    const names = new Set(form.fields.map(({ name }) => name));
    if (![...pairs.keys()].some((name) => names.has(name))) return false;
    const before = values;
    const isWritten = keptDraft() !== null;
    writeAddress(location.pathname);
    set({ ...proposed(), ...formValues([...pairs].filter(([name]) => names.has(name))).fields });
    if (isWritten && JSON.stringify(before) !== JSON.stringify(values)) offerUndo(before);
    return true;
  }
  function offerUndo(before: Values): void {
    const mine = {
      says: 'These answers came with the link and replaced yours.',
      undo: () => {
        undoing = null;
        set(before);
      },
    };
    undoing = mine;
    draw();
    setTimeout(() => {
      if (undoing === mine) undoing = null;
      draw();
    }, UNDO_MS);
  }

  keepAddress();
  addEventListener('hashchange', open);
  if (!open()) draw();
  // Without this, a reload would submit the form again.
  if (location.search !== '' || isSent) writeAddress(location.pathname);
  if (!isKeeping()) forgetDraft();
  writeEarly();
  if (!pay.resume() && isSent) void ask();
}

/** The answers in one line: "Florist, GB, 4 people", or each with its label. */
function summaryOf(values: Values, { trades, form }: PlanData): string {
  if (trades.length === 0)
    return form.fields
      .flatMap(({ name, label }) => (values[name] ? [`${label} ${values[name]}`] : []))
      .join(', ')
      .slice(0, 300);
  const {
    trade = '',
    business_type: kind = '',
    country = '',
    team_size: team = '',
    free_only,
    needs = '',
  } = values;
  const labels = form.fields.find(({ name }) => name === 'business_type')?.options ?? [];
  const label = labels.find(({ value }) => value === (kindOf(trade, trades) ?? kind))?.label ?? '';
  return [
    trade.trim() || label.replace(/:.*/, ''),
    country,
    team === '' ? '' : `${team.trim()} people`,
    free_only === 'true' ? 'free only' : '',
    needs === '' ? '' : `also ${needs.replaceAll(',', ', ').replaceAll('_', ' ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const keptDraft = (): Values | null => {
  const kept = orNull(() => JSON.parse(localStorage.getItem(DRAFT) ?? '') as { fields: Values });
  return kept === null || typeof kept.fields !== 'object' ? null : { ...kept.fields };
};
const keepDraft = (fields: Values): unknown =>
  isKeeping() ? orNull(() => localStorage.setItem(DRAFT, JSON.stringify({ fields }))) : null;
const forgetDraft = (): unknown => orNull(() => localStorage.removeItem(DRAFT));

/** The country of the browser's language, if it names one. */
function proposed(): Values {
  const region = orNull(() => regionOf(navigator.languages)) ?? '';
  return region === '' ? {} : { country: region };
}

const root = document.querySelector<HTMLElement>('#plan');
const dialog = document.querySelector<HTMLDialogElement>('#pay');
const result = document.querySelector<HTMLElement>('#result');
const data = document.querySelector('#plan-data');
if (root && dialog && result && data) {
  const { data: plan, sent } = JSON.parse(data.textContent ?? '') as { data: PlanData; sent: Sent };
  start(root, dialog, result, plan, sent);
}
