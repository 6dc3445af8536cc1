import { describe, expect, it } from 'vitest';
import { currencyOfRegion, regionOf } from './money-of-regions.ts';

const moneyOf = (...languages: string[]): string | null => {
  const region = regionOf(languages);
  return region === null ? null : currencyOfRegion(region);
};

describe('the currency proposed for the languages of a browser', () => {
  it.each([
    ['en-GB', 'GBP'],
    ['de-CH', 'CHF'],
    ['bg-BG', 'EUR'],
    ['es-VE', 'VES'],
    ['es-PA', 'USD'],
    ['ar-JO', 'JOD'],
    ['ka-GE', 'GEL'],
  ])('is the currency of the named region: %s', (language, currency) =>
    expect(moneyOf(language)).toBe(currency),
  );

  it.each([
    ['de', 'EUR'],
    ['pl', 'PLN'],
    ['fr', 'EUR'],
    ['sv', 'SEK'],
    ['hi', 'INR'],
    ['ja', 'JPY'],
    ['pt', 'BRL'],
    ['zh', 'CNY'],
  ])('is the currency of the main country of a language without a region: %s', (language, currency) =>
    expect(moneyOf(language)).toBe(currency),
  );

  it.each(['en', 'es', 'ar'])('is not guessed from a language with many regions: %s', (language) =>
    expect(moneyOf(language)).toBeNull(),
  );

  it('is the currency of a region in any of the languages, except for the English that browsers add', () => {
    expect(moneyOf('de', 'de-AT', 'en-US', 'en')).toBe('EUR');
    expect(moneyOf('de', 'de-CH')).toBe('CHF');
    expect(moneyOf('en', 'de-DE')).toBe('EUR');
    expect(moneyOf('en', 'en-AU')).toBe('AUD');
    // A number identifies a part of the world, which has no single currency.
    expect(moneyOf('es-419', 'es-MX')).toBe('MXN');
    expect(moneyOf('en-150')).toBeNull();
    // The languages that Firefox sends in its Polish and Arabic versions.
    expect(moneyOf('pl', 'en-US', 'en')).toBe('PLN');
    expect(moneyOf('ar', 'en-US', 'en')).toBeNull();
    expect(moneyOf()).toBeNull();
  });
});
