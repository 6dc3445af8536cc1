import { h, render } from 'preact';
import type { Fault } from '../domain/result.ts';
import { quoteReckoning } from '../operations/quote-reckoning.ts';
import { logoQuery } from '../surfaces/pages/documents/brand.ts';
import { BLANK, paperIn } from '../surfaces/pages/documents/letterhead.ts';
import { linesOf } from '../surfaces/pages/documents/sheet.ts';
import type { FormList, FormModel } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { type FormValues, formValues, type Row } from '../surfaces/pages/form-values.ts';
import { type AppProps, QuoteApp, type QuoteData } from '../surfaces/pages/quote/quote-app.tsx';
import type { Asked } from '../surfaces/pages/quote/quote-client.tsx';
import {
  isBlank,
  LIST,
  type OptionsWritten,
  optionsApart,
  type PastedLines,
  paperFaults,
  placed,
  valuesOf,
  type Worked,
  type Written,
  writtenFrom,
} from '../surfaces/pages/quote/quote-state.ts';
import { longDay } from '../surfaces/pages/views/format.ts';
import {
  type Day,
  Desk,
  type DraftOf,
  forget,
  type Habits,
  linkQuery,
  NOTHING_SAID,
  run,
  type Said,
  store,
  storedAs,
  today,
  todayText,
} from './desk.ts';
import { ownDetailsIn, ownLetterhead, ownLogo } from './own-memory.ts';
import { pairsIn } from './page.ts';
import { keepSent } from './sent-quotes.ts';

/* The state of the quote page, its draft on this device, and the answer to its input. */

export type Draft = DraftOf<Written> & {
  /** The input for three options; omitted until the user opens that step. */
  readonly options?: OptionsWritten | undefined;
  /** The id of this quote among the sent quotes; omitted until it is sent. */
  readonly sent?: number | undefined;
};

type State = Draft &
  Said & {
    readonly pasted: PastedLines | null;
    /** Questions to answer before the quote is sent. */
    readonly sending: {
      readonly asks: readonly Asked[];
      readonly isNameMissing: boolean;
      /** Whether the link has the logo. */
      readonly isLogoShown: boolean;
    } | null;
    /** Whether the file that was chosen for the logo cannot be used as a picture. */
    readonly isLogoUnread: boolean;
  };

export class QuoteDesk extends Desk<State, Answered> {
  readonly data: QuoteData;
  readonly list: FormList;
  readonly propsOf: (desk: QuoteDesk) => AppProps;
  /** Called after each change once the step of three options is open. */
  onSet: () => void = () => {};
  /** Opens the step of three options. */
  offerOptions: () => void = () => {};

  readonly firstInput = 'f-paper-business';
  readonly fresh = {
    ...NOTHING_SAID,
    options: undefined,
    sent: undefined,
    pasted: null,
    sending: null,
    isLogoUnread: false,
  };

  constructor(root: HTMLElement, data: QuoteData, list: FormList, propsOf: QuoteDesk['propsOf']) {
    super(root, data.form);
    this.data = data;
    this.list = list;
    this.propsOf = propsOf;
  }

  draw(): void {
    render(h(QuoteApp, this.propsOf(this)), this.root);
    this.onSet();
  }

  answer(written: Written): Answered {
    return answered(this.form, written, this.habits, today());
  }

  isBlank(written: Written): boolean {
    return isBlank(written);
  }

  withOwn(written: Written): Written {
    const own: Readonly<Record<string, string | undefined>> = ownLetterhead(written.letterhead);
    const letterhead = Object.entries(written.letterhead).map(([name, text]) => [
      name,
      text || (own[name] ?? ''),
    ]);
    return { ...written, letterhead: { ...written.letterhead, ...Object.fromEntries(letterhead) } };
  }

  ownIn({ letterhead }: Written) {
    return ownDetailsIn(letterhead);
  }

  keep(): boolean {
    const { written, isForeign, options, sent } = this.state;
    const { lines, fields, letterhead } = written;
    const rows = lines.map(({ values }) => values);
    return store(DRAFT, { rows, fields, letterhead, isForeign, options, sent } satisfies Stored);
  }

  forget(): void {
    forget(DRAFT);
  }

  query(issuedOn: string | null = null): string {
    return linkQuery(this.now.values, this.state.written.letterhead, issuedOn);
  }

  total(): string {
    const { body } = this.now;
    return body === null ? '' : `Total ${body.formatted.total}`;
  }

  /** The logo on the paper; '' if there is none. */
  logo(): string {
    return this.state.isForeign ? '' : ownLogo(this.state.written.letterhead);
  }

  /** The address of the quote as its client sees it. */
  clientLink(): string {
    const logo = this.state.sending?.isLogoShown ? this.logo() : '';
    const query = `${this.query(todayText())}${logo === '' ? '' : logoQuery(logo)}`;
    return `${location.origin}${location.pathname}#${query}`;
  }

  /** Stores the quote, as its client gets it, among the sent quotes. */
  noteSent(): void {
    const { state, now } = this;
    const { letterhead } = state.written;
    const [client = ''] = linesOf(letterhead.client);
    const day = longDay(todayText(), now.currency);
    const about = [client, letterhead.number.trim(), day, now.body?.formatted.total]
      .filter(Boolean)
      .join(', ');
    const query = this.clientLink().split('#')[1] ?? '';
    this.set({ sent: keepSent(state.sent, { client, about, query }) });
    this.keepNow();
  }

  dialog(): HTMLDialogElement | null {
    return this.root.querySelector('#send');
  }
}

/* Each device has one draft. A link has its values after the #. */

const DRAFT = 'draft.quote';

type Stored = Pick<Written, 'fields' | 'letterhead'> & Omit<Draft, 'written'> & { rows: readonly Row[] };

/** The stored draft; null if there is none or if it cannot be read. */
export function keptDraft(least: number): Draft | null {
  const stored = storedAs<Stored>(DRAFT);
  if (stored === null || !Array.isArray(stored.rows)) return null;
  const { rows, fields, letterhead, ...draft } = stored;
  const values = { fields: { ...fields }, lists: { [LIST]: rows } };
  return { ...draft, written: writtenFrom(values, { ...BLANK, ...letterhead }, least) };
}

/** The values of a link as form text. Numbers in links are unambiguous. */
export function writtenIn(
  { form, options }: Pick<QuoteData, 'form' | 'options'>,
  query: string,
  least: number,
): Pick<Draft, 'written' | 'options'> {
  const fields = [...form.fields, ...(options?.fields ?? [])];
  const pairs = pairsIn({ ...form, fields }, query).filter(([name]) => name !== 'step');
  return optionsApart(
    writtenFrom(formValues(pairs), paperIn(query).letterhead, least),
    options?.fields ?? [],
  );
}

/* The answer */

type Answered = Worked & {
  /** The values in the notation of the API, with the currency in use. */
  readonly values: FormValues;
  readonly currency: string;
};

/**
 * The result of the input on a given day. Values with faults are omitted, so that the other figures are still shown. The
 * faults say what is missing.
 */
export function answered(
  form: FormModel,
  written: Written,
  { grouping, proposed }: Habits,
  day: Day,
): Answered {
  const { values: asWritten, places } = valuesOf(written);
  const read = readWritten(form, asWritten, grouping);
  const currency = (read.values.fields.currency || proposed).toUpperCase();
  const values = { ...read.values, fields: { ...read.values.fields, currency } };
  const whole = run<Body>(quoteReckoning, values, { faults: read.faults, day });
  const pointed = [...read.numbers].map(
    ([pointer, number]) => [placed({ pointer } as Fault, places).pointer, number] as const,
  );
  const { body, counted } =
    whole.body === null
      ? partOf(values, whole.faults, day)
      : { body: whole.body, counted: places.map((_, index) => index) };
  return {
    body,
    counted: counted.map((index) => places[index] ?? -1),
    faults: [...whole.faults.map((fault) => placed(fault, places)), ...paperFaults(written.letterhead)],
    numbers: new Map(pointed),
    values,
    currency,
  };
}

type Body = NonNullable<Worked['body']>;

/** The answer without the lines and fields that have faults; null if nothing is left, or if the rest has faults too. */
function partOf({ fields, lists }: FormValues, faults: readonly Fault[], day: Day) {
  const paths = faults.map(({ pointer }) => pointer.split('/').slice(1));
  const faulty = new Set(
    paths.flatMap(([list, index]) => (list === LIST && index !== undefined ? [Number(index)] : [])),
  );
  const rows = lists[LIST] ?? [];
  const counted = rows.flatMap((_, index) => (faulty.has(index) ? [] : [index]));
  const left = {
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name]) => !paths.some(([field]) => field === name)),
    ),
    lists: { [LIST]: rows.filter((_, index) => !faulty.has(index)) },
  };
  const body = counted.length === 0 ? null : run<Body>(quoteReckoning, left, { faults: [], day }).body;
  return { body, counted };
}
