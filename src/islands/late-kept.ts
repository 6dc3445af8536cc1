import { paperIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { formValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import type { Written } from '../surfaces/pages/late-invoice/late-state.ts';
import { orNull } from './or-null.ts';
import { rememberedFor } from './own-memory.ts';
import { pairsIn } from './page.ts';
import { isKeeping } from './pay/storage.ts';

/*
 * The data of a late invoice on this device: one draft, and the owner's business. Links hold the rest behind their #.
 */

export type Draft = {
  readonly written: Written;
  /** Came from someone else's link, whose business is not the owner's. */
  readonly isForeign: boolean;
  /** The name of the purchased letter that is shown; null if the form is about another one. */
  readonly front: string | null;
};

const DRAFT = 'draft.late-invoice';
/** Drafts that the previous release kept in a tab for the letter's page. */
const DRAFTS_BEFORE = 'drafts./late-fee-reminder';

/** null if nothing is stored or it cannot be read. */
export function keptDraft(form: FormModel): Draft | null {
  const stored = orNull(() => JSON.parse(localStorage.getItem(DRAFT) ?? '') as Written & Draft);
  if (stored !== null && typeof stored.fields === 'object')
    return {
      written: {
        fields: { ...stored.fields },
        letterhead: { ...paperIn('').letterhead, ...stored.letterhead },
      },
      isForeign: stored.isForeign === true,
      front: typeof stored.front === 'string' ? stored.front : null,
    };
  const before = orNull(() => JSON.parse(sessionStorage.getItem(DRAFTS_BEFORE) ?? '')[0].query as string);
  return before ? { written: writtenIn(form, before), isForeign: false, front: null } : null;
}

/** false if the browser stores nothing. */
export function keepDraft({ written, isForeign, front }: Draft): boolean {
  // The owner chose to keep nothing, not even in the address.
  if (!isKeeping()) return true;
  return orNull(() => localStorage.setItem(DRAFT, JSON.stringify({ ...written, isForeign, front }))) !== null;
}

export function forgetDraft(): void {
  orNull(() => localStorage.removeItem(DRAFT));
  orNull(() => sessionStorage.removeItem(DRAFTS_BEFORE));
}

/** The input as part of a link. */
export const linkQuery = (
  values: Readonly<Record<string, string>>,
  { letterhead }: Pick<Written, 'letterhead'>,
): string =>
  [valuesQuery({ fields: values, lists: {} }), paperQuery({ letterhead, issuedOn: null })]
    .filter(Boolean)
    .join('&');

/** The values of a link as form text; their numbers have only one reading. */
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

/** The input, with the remembered business if it names none and belongs to nobody else. */
export function withOwn({ fields, letterhead }: Written): Written {
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

/** Whether a link names a different business than the remembered one, or contains texts of another business. */
export const isOfAnother = ({ fields, letterhead: { contact } }: Written): boolean =>
  rememberedFor(fields.business_name ?? '', { contact, payment_details: fields.payment_details }) === null;
