import { COUNTRY_CODES, inRegions } from '../domain/regions.ts';
import type { Processor } from '../domain/stack-report-types.ts';
import type { ListingFile } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

/** The firms that an account for money is with: a 'PayPal or Stripe account' is with two. */
export const firmsOf = (account: string | null): readonly string[] =>
  account === null ? [] : account.replace(/ account$/, '').split(' or ');

/** Every firm with the countries that it does not serve. */
export const processorIndex = ({
  processors,
}: Pick<ShelvesFile, 'processors'>): ReadonlyMap<string, Processor> =>
  new Map(
    Object.entries(processors).map(([name, { regions, not_regions = [] }]) => {
      const isOut = (country: string) =>
        (regions !== undefined && !inRegions(country, regions)) || inRegions(country, not_regions);
      return [name, { name, not_in: COUNTRY_CODES.filter(isOut), at_home: false }];
    }),
  );

/** The firms through which a tool takes money. */
export const processorsIn = (
  { editor }: Pick<ListingFile, 'editor'>,
  index: ReadonlyMap<string, Processor>,
): Processor[] => [
  ...firmsOf(editor.paid_into ?? editor.extra_paid_into).flatMap((name) => index.get(name) ?? []),
  ...editor.home_firms.flatMap((name) => index.get(name) ?? []).map((firm) => ({ ...firm, at_home: true })),
];

/** Countries where money comes through none of the firms. */
export const unpaidIn = ([first, ...others]: readonly Processor[]): string[] =>
  first?.not_in.filter((country) => others.every(({ not_in }) => not_in.includes(country))) ?? [];
