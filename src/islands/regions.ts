import { currencyOfRegion } from '../surfaces/pages/money-of-regions.ts';

/** Names the currencies and countries of a form, those of the reader's region first; a fresh form proposes its currency. */
export function offerRegions(form: HTMLFormElement, isFresh: boolean): void {
  const region = regionOf(navigator.language);
  const currency = region === null ? null : currencyOfRegion(region);
  const currencies = form.querySelector<HTMLSelectElement>('[data-currencies]');
  if (currencies !== null) {
    const names = new Intl.DisplayNames('en', { type: 'currency' });
    for (const option of currencies.options)
      if (option.value !== '' && option.textContent === option.value) {
        option.value = option.textContent;
        option.textContent = `${option.value} ${names.of(option.value) ?? ''}`;
      }
    toTop(currencies, currency);
    if (isFresh && currency !== null && hasOption(currencies, currency)) currencies.value = currency;
    if (!isFresh) currencies.dataset.chosen = '';
  }
  const countries = form.querySelector<HTMLSelectElement>('[data-countries]');
  if (countries !== null) toTop(countries, region);
}

const hasOption = (select: HTMLSelectElement, value: string): boolean =>
  [...select.options].some((option) => option.value === value);

/** Moves an option above all others but the empty one. */
function toTop(select: HTMLSelectElement, value: string | null): void {
  const option = [...select.options].find((one) => one.value === value);
  const before = [...select.options].find((one) => one.value !== '');
  if (value === null || option === undefined || before === undefined || option === before) return;
  const chosen = select.value;
  before.before(option);
  select.value = chosen;
}

function regionOf(language: string): string | null {
  try {
    return new Intl.Locale(language).region ?? null;
  } catch {
    return null;
  }
}
