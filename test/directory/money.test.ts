import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/directory-labels.ts';
import { COUNTRY_CODES, inRegions } from '../../src/domain/regions.ts';
import { listingFiles, shelves } from '../support/directory.ts';
import { asking } from './asking.ts';

const fileOf = (id: string) => listingFiles.find((file) => file.id === id);
/** The needs with a tool that takes money. */
const needs = Object.keys(shelves.needs).filter((slug) =>
  shelves.needs[slug]?.shelf.some((entry) => {
    const file = 'id' in entry ? fileOf(entry.id) : undefined;
    const isPaidInto = (file?.editor.paid_into ?? file?.editor.extra_paid_into ?? null) !== null;
    return isPaidInto || /Square|PayPal|Gumroad/.test(file?.vendor ?? '');
  }),
);

const owner = asking({ needs, teamSize: 3 });
const { toolFor } = owner;
const reportOf = (businessType: BusinessType, country: string | null) =>
  owner.reportOf({ businessType, country });

/** The countries where each firm pays businesses, as an editor knows them: a list that only this test uses. */
const STRIPE = 'EU GB US CA MX BR CH NO LI GI AU NZ JP SG HK MY TH AE'.split(' ');
const SQUARE = 'US CA GB IE FR ES AU JP'.split(' ');
/**
 * Countries whose customers can pay at home by PayPal in their own currency; in Korea, India or Argentina, PayPal only
 * works abroad.
 */
const PAYPAL = 'EU GB US CA AU NZ CH NO LI JP SG HK MY MX BR PH IL'.split(' ');
/** Countries where cards rarely pay foreign shops because foreign currency is scarce. */
const CARDS_STAY_HOME = 'AO BD BI BO CU DZ EG ET IQ IR LB LY MA MM MW NG NP PK SD SY TN UZ VE YE ZW'.split(
  ' ',
);
const serves: Readonly<Record<string, (country: string) => boolean>> = {
  Stripe: (country) => inRegions(country, STRIPE),
  PayPal: (country) => inRegions(country, PAYPAL),
};
const firms = (account: string | null | undefined) => account?.replace(/ account$/, '').split(' or ') ?? [];

/** The other firms that Payhip's help pages name, each with its countries. */
const HOME_FIRMS: Readonly<Record<string, string>> = {
  'Mercado Pago': 'AR BR CL CO MX PE UY',
  Paystack: 'CI GH KE NG ZA',
  Flutterwave: 'NG GH KE ZA UG RW ZM TZ CM',
  Xendit: 'ID MY PH TH VN',
  Razorpay: 'IN',
  iyzico: 'TR',
  PayTabs: 'EG IQ JO KW OM SA AE',
};
const isPaidAtHome = (id: string, country: string): boolean =>
  fileOf(id)?.editor.home_firms.some((firm) => HOME_FIRMS[firm]?.split(' ').includes(country)) ?? false;

describe('a tool that takes money through another firm', () => {
  test('is neither a pick nor an alternative in a country where none of its firms pays out', () => {
    const wrong = new Set<string>();
    for (const country of COUNTRY_CODES)
      for (const businessType of BUSINESS_TYPES) {
        // Where hardly any tool is allowed, there may be no report.
        const result = owner.ask({ businessType, country });
        for (const { need, tool, alternatives, caveats } of result.ok ? result.report.picks : []) {
          const isPaid = (id: string) => {
            const through = firms(fileOf(id)?.editor.paid_into);
            const isPaidThrough = through.some((firm) => serves[firm]?.(country));
            return through.length === 0 || isPaidThrough || isPaidAtHome(id, country);
          };
          const ids = [tool, ...alternatives].map(({ id }) => id);
          for (const id of ids) if (!isPaid(id)) wrong.add(`${country} ${need}: ${id}`);
          if (ids.includes('gumroad') && CARDS_STAY_HOME.includes(country))
            wrong.add(`${country} ${need}: gumroad`);
          if (ids.includes('paypal-invoicing') && !inRegions(country, PAYPAL))
            wrong.add(`${country} ${need}: paypal-invoicing`);
          for (const id of ids)
            if (fileOf(id)?.vendor.includes('Square') && !SQUARE.includes(country))
              wrong.add(`${country} ${need}: ${id}`);
          const extra = firms(fileOf(tool.id)?.editor.extra_paid_into);
          const isSilent = !caveats.some((line) => /\bcannot take payments\b/.test(line));
          if (extra.length > 0 && !extra.some((firm) => serves[firm]?.(country)) && isSilent)
            wrong.add(`${country} ${need}: ${tool.id} does not say that nobody can pay`);
        }
      }
    expect([...wrong]).toEqual([]);
  }, 180_000);

  test('is Stripe for service businesses in countries that Stripe serves, unless a card reader is picked', () => {
    const unpaid = COUNTRY_CODES.filter((country) => inRegions(country, STRIPE)).filter((country) => {
      const pick = reportOf('service', country).picks.find(({ need }) => need === 'payments');
      return !['square-pos-free', 'sumup', 'stripe'].includes(pick?.tool.id ?? '');
    });
    // Greek law requires a terminal that is connected to the cash register.
    expect(unpaid).toEqual(['GR']);
    for (const country of ['MX', 'LI', 'GI', 'NZ', 'SG', 'HK', 'MY', 'TH', 'AE'])
      expect(toolFor('payments', { businessType: 'service', country })).toBe('stripe');
  });

  test('has a warning that it does not serve every country if no country is given', () => {
    const paid = BUSINESS_TYPES.flatMap((type) => reportOf(type, null).picks).filter(({ tool }) => {
      const editor = fileOf(tool.id)?.editor;
      return (editor?.paid_into ?? editor?.extra_paid_into ?? null) !== null;
    });
    expect(new Set(paid.map(({ tool }) => tool.id)).size).toBeGreaterThan(3);
    for (const { tool, caveats } of paid)
      expect([tool.id, ...caveats]).toContainEqual(
        expect.stringMatching(/\bpayments\b.*\b(?:PayPal|Stripe)\b.*\bcountry\b/),
      );
  });

  test('is not tied to one firm in the text if all its firms serve the country', () => {
    for (const country of ['MX', 'BR', 'MY', 'JP'])
      expect(JSON.stringify(reportOf('creator', country).picks)).not.toMatch(
        /comes through (?:PayPal|Mercado|PayTabs|Xendit)/,
      );
  });

  test('declares its firm if its caveats name a firm and the need is about taking money', () => {
    const silent = Object.entries(shelves.needs)
      .filter(([, { takes_money }]) => takes_money)
      .flatMap(([need, { shelf }]) =>
        shelf.flatMap((entry) => ('id' in entry ? [{ need, id: entry.id }] : [])),
      )
      .filter(({ id }) => {
        const file = fileOf(id);
        const says = /\b(?:PayPal|Stripe)\b/.test(file?.caveats.join(' ') ?? '');
        return (
          says &&
          (file?.editor.paid_into ?? file?.editor.extra_paid_into ?? null) === null &&
          file?.requires.length === 0
        );
      });
    expect(silent).toEqual([]);
  });

  test('is never PayPal, not even as a well-known tool, if nobody in the country can pay with PayPal', () => {
    const named = COUNTRY_CODES.filter(
      (country) => !inRegions(country, [...PAYPAL, 'CU', 'IR', 'KP', 'SY', 'TM']),
    ).filter((country) => {
      const { picks, unmet } = reportOf('trades', country);
      return [...picks, ...unmet].some(({ also_well_known = [] }) =>
        also_well_known.some(({ name }) => name === 'PayPal' || name === 'PayPal Donate'),
      );
    });
    expect(named).toEqual([]);
  });
});
