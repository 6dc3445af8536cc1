import { CURRENCY_CODES } from '../domain/currency.ts';
import { currencyOfRegion, regionOf } from '../surfaces/pages/money-of-regions.ts';
import { orNull } from './or-null.ts';
import { remembered } from './own-memory.ts';

/**
 * Names the currencies and countries of a form, those of the reader first. A form whose currency is `isOpen` proposes the
 * one that was remembered, else that of the region.
 */
export function offerRegions(form: HTMLFormElement, isOpen: boolean): void {
  const region = orNull(() => regionOf(navigator.languages));
  const currency = remembered()?.currency || (region && currencyOfRegion(region));
  const currencies = form.querySelector<HTMLSelectElement>('[name="currency"]');
  if (currencies !== null) {
    nameAll(currencies);
    const isFirst = toTop(currencies, currency);
    if (isOpen && isFirst) currencies.value = currency ?? '';
    // What was proposed was not chosen, nor is nothing.
    currencies.toggleAttribute('data-chosen', !isOpen && currencies.value !== '');
  }
  const countries = form.querySelector<HTMLSelectElement>('[data-countries]');
  if (countries !== null) toTop(countries, region);
}

/** Adds the currencies that a form begins without, and names those that stand there by their codes. */
function nameAll(select: HTMLSelectElement): void {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const options = new Map([...select.options].map((option) => [option.value, option]));
  for (const code of CURRENCY_CODES) {
    const option = options.get(code) ?? new Option(code);
    if (!options.has(code)) select.add(option);
    option.value = code;
    if (option.textContent === code) option.textContent = `${code} ${names.of(code) ?? ''}`;
  }
}

/** Moves an option above all others but the empty one; false where there is none of this value. */
function toTop(select: HTMLSelectElement, value: string | null): boolean {
  const all = [...select.options];
  const option = all.find((one) => one.value === value);
  if (!value || option === undefined) return false;
  const chosen = select.value;
  all.find((one) => one.value !== '')?.before(option);
  select.value = chosen;
  return true;
}
