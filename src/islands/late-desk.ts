import { h, render } from 'preact';
import { dayText, parseDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { lateFeeReckoning, paidLate } from '../operations/late-fee-reckoning.ts';
import { feeSheet } from '../surfaces/pages/documents/late-fee.ts';
import { BLANK, paperIn } from '../surfaces/pages/documents/letterhead.ts';
import { sheetText } from '../surfaces/pages/documents/sheet.ts';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { formValues } from '../surfaces/pages/form-values.ts';
import { type AppProps, LateApp, type LateData } from '../surfaces/pages/late-invoice/late-app.tsx';
import {
  type Body,
  isBlank,
  letterheadOf,
  type Worked,
  type Written,
} from '../surfaces/pages/late-invoice/late-state.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import {
  type Day,
  Desk,
  type DraftOf,
  forget,
  linkQuery,
  NOTHING_SAID,
  run,
  type Said,
  store,
  storedAs,
  today,
  todayText,
} from './desk.ts';
import { rememberedFor } from './own-memory.ts';
import { pairsIn } from './page.ts';

/* The state of the late-invoice page, its draft on this device, and the answer to its input. */

export type Draft = DraftOf<Written> & {
  /** The name of the purchased letter that is shown; null if the form is about another one. */
  readonly front: string | null;
};

type State = Draft & Said;

export class LateDesk extends Desk<State, Answered> {
  readonly data: LateData;
  readonly propsOf: (desk: LateDesk) => AppProps;
  readonly firstInput = 'f-amount';
  readonly fresh = { ...NOTHING_SAID, front: null };

  constructor(root: HTMLElement, data: LateData, propsOf: LateDesk['propsOf']) {
    super(root, data.form);
    this.data = data;
    this.propsOf = propsOf;
  }

  draw(): void {
    render(h(LateApp, this.propsOf(this)), this.root);
  }

  isBlank(written: Written): boolean {
    return isBlank(written);
  }

  withOwn({ fields, letterhead }: Written): Written {
    const { business_name = '', payment_details = '' } = fields;
    const { contact } = letterhead;
    const own = rememberedFor(business_name, { contact, payment_details });
    return {
      fields: {
        ...fields,
        business_name: business_name || (own?.business_name ?? ''),
        payment_details: payment_details || (own?.payment_details ?? ''),
      },
      letterhead: { ...letterhead, contact: contact || (own?.contact ?? '') },
    };
  }

  ownIn({ fields: { business_name = '', payment_details = '' }, letterhead: { contact } }: Written) {
    return { business_name, payment_details, contact };
  }

  keep(): boolean {
    const { written, isForeign, front } = this.state;
    return store(DRAFT, { ...written, isForeign, front });
  }

  forget(): void {
    forgetDraft();
  }

  query(): string {
    return linkQuery({ fields: this.now.values, lists: {} }, this.state.written.letterhead);
  }

  total(): string {
    const { body, currency } = this.now;
    return body === null ? '' : `Owed ${amountText(body.total_due, currency)}`;
  }

  /** A link that shows the same figure on any day. It contains no names or addresses. */
  figureLink(): string {
    const fee = Object.entries({ paid_date: todayText(), ...this.now.values }).filter(
      ([name, value]) => this.data.feeFields.includes(name) && value !== '',
    );
    return `${location.origin}${location.pathname}#${new URLSearchParams(fee)}`;
  }

  /** The statement of the amount owed as text; empty if there is none. */
  figuresText(): string {
    const { now, state } = this;
    return now.body === null
      ? ''
      : sheetText(feeSheet(now.body, letterheadOf(state.written)), location.origin);
  }

  /**
   * The fee for some input. Values with faults are omitted, so that a figure is still shown. The faults say what is
   * missing.
   */
  answer({ fields }: Written): Answered {
    const { data, habits } = this;
    const read = readWritten(data.form, { fields, lists: {} }, habits.grouping);
    const currency = (read.values.fields.currency || habits.proposed).toUpperCase();
    const values = { ...read.values.fields, currency };
    const isOfFee = (name: string): boolean => data.feeFields.includes(name);
    const paidOn = parseDay(read.values.fields.paid_on ?? '');
    const ofFee: Fields = {
      ...Object.fromEntries(Object.entries(values).filter(([name]) => isOfFee(name))),
      ...(paidOn !== null && { paid_date: dayText(paidOn) }),
    };
    const nameOf = ({ pointer }: Fault): string => pointer.split('/')[1] ?? '';
    const unread = read.faults.filter((fault) => isOfFee(nameOf(fault)));
    const whole = feeOf(ofFee, paidOn, unread);
    const faulty = new Set(whole.faults.map(nameOf));
    const left = Object.fromEntries(Object.entries(ofFee).filter(([name]) => !faulty.has(name)));
    return {
      body:
        whole.body ??
        (faulty.has('amount') || faulty.has('due_date')
          ? null
          : feeOf(left, faulty.has('paid_on') ? null : paidOn, []).body),
      faults: [...whole.faults, ...read.faults.filter((fault) => !unread.includes(fault))],
      numbers: read.numbers,
      values,
      currency,
    };
  }
}

type Fields = Readonly<Record<string, string>>;

type Answered = Worked & {
  /** Every value in the notation of the API, with the currency in use. */
  readonly values: Fields;
  readonly currency: string;
};

// An earlier part payment without a day would change the interest, so it cannot be combined with `paid_on`, as in the
// letter.
const NOT_WITH_AMOUNT_PAID: Fault = {
  pointer: '/paid_on',
  code: 'not_together',
  detail: 'cannot be sent together with amount_paid',
};

function feeOf(fields: Fields, paidOn: Day | null, unread: readonly Fault[]) {
  if (paidOn !== null && (fields.amount_paid ?? '') !== '')
    return { body: null, faults: [...unread, NOT_WITH_AMOUNT_PAID] };
  return run<Body>(lateFeeReckoning, { fields, lists: {} }, { faults: unread, day: today() }, (input) =>
    paidOn === null ? input : (paidLate(input, paidOn) as never),
  );
}

/* Each device has one draft. A link has its values after the #. */

const DRAFT = 'draft.late-invoice';

/** The stored draft; null if there is none or if it cannot be read. */
export function keptDraft(): Draft | null {
  const stored = storedAs<Written & Draft>(DRAFT);
  if (stored === null || typeof stored.fields !== 'object') return null;
  return {
    written: { fields: { ...stored.fields }, letterhead: { ...BLANK, ...stored.letterhead } },
    isForeign: stored.isForeign === true,
    front: typeof stored.front === 'string' ? stored.front : null,
  };
}

export const forgetDraft = (): unknown => forget(DRAFT);

/** The values of a link as form text. Numbers in links are unambiguous. */
export function writtenIn(form: FormModel, query: string): Written {
  const { fields } = form;
  const pairs = pairsIn(form, query);
  const { letterhead } = paperIn(query);
  const found = { ...formValues(pairs, (name) => fields.some((field) => field.name === name)).fields };
  return {
    fields: { ...found, business_name: found.business_name || letterhead.business },
    letterhead: { ...letterhead, business: '' },
  };
}

/**
 * Whether a link names a different business than the remembered one, or contains texts of another business. Also true
 * if no details are remembered.
 */
export const isOfAnother = ({ fields, letterhead: { contact } }: Written): boolean =>
  rememberedFor(fields.business_name ?? '', { contact, payment_details: fields.payment_details }) === null;
