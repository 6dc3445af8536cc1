import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import { MAX_TRADE_CHARACTERS, TRADES, tradeOf, tradeOfLines, worthPayingFor } from './trades.ts';

const meant = (text: string) => {
  const match = tradeOf(text);
  return match === null ? null : `${match.trade.id}, ${match.how}`;
};

/** Names that owners give their business, by the trade that they mean. */
const NAMES = {
  hvac: 'HVAC contractor|HVAC technician|AC repair technician|heating contractor|heating and cooling',
  plumber: 'plumbing contractor|plumbing company|drainage',
  electrician: 'electrical contractor|solar contractor|solar installer|alarm installer',
  roofer: 'roofing contractor',
  painter: 'painting contractor|drywall contractor|plasterer',
  gardener: 'landscaping contractor|pool cleaning|snow removal',
  tree_surgeon: 'tree contractor|tree surgery',
  cleaner: 'cleaning contractor',
  pest_control: 'pest control contractor',
  carpenter: 'flooring contractor|furniture maker|tiler|upholsterer',
  builder: 'general contractor|concrete contractor|paving contractor|pool builder|welder|well drilling',
  car_mechanic: 'auto repair shop|car repair shop|auto body repair|mobile mechanic|tyre shop|car wash',
  repair_shop: 'phone repair shop|appliance repair|shoe repair|watch repair',
  bakery: 'bakery|cake decorator|butcher',
  caterer: 'private chef|catering',
  church: 'church|mosque|synagogue|temple',
  consultant: 'recruitment agency|staffing agency|virtual assistant|mortgage broker',
  web_developer: 'web design agency|app developer|software development company',
  therapist: 'physiotherapist|dentist|GP surgery|nursing home|health clinic',
  childminder: 'nursery school|preschool|daycare',
  activities: 'dive shop|surf school|horse riding school',
  rental_business: 'party hire|tool hire|car hire',
  retail_shop: 'grocery store|clothing boutique|pharmacy|vape shop',
  sports_club: 'football club|scout group',
  none: 'towing|towing company|taxi|school|travel agency|window tinting|manufacturer|recycling',
} as const;

describe('the table of trades', () => {
  test('has at least forty trades, for every kind of business, each with its own ID and names', () => {
    expect(TRADES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(TRADES.map(({ id }) => id)).size).toBe(TRADES.length);
    expect(new Set(TRADES.map(({ business_type }) => business_type))).toEqual(new Set(BUSINESS_TYPES));
    const words = TRADES.flatMap((trade) => trade.words);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  test('has tools, three quote lines and two to four additions for each option of every trade', () => {
    for (const { id, tools, quote } of TRADES) {
      expect([id, Object.keys(tools).length > 1]).toEqual([id, true]);
      expect([id, quote.lines.length]).toEqual([id, 3]);
      for (const list of [quote.better, quote.best]) {
        expect([id, list.length >= 2 && list.length <= 4]).toEqual([id, true]);
        expect(new Set([...quote.better, ...quote.best]).size).toBe(quote.better.length + quote.best.length);
      }
      for (const { quantity, unit_price } of quote.lines) expect(quantity * unit_price).toBeGreaterThan(0);
    }
  });
});

describe('the search for a trade', () => {
  test('finds a trade by its name, its ID and its other words, regardless of case, accents and plurals', () => {
    expect(meant('nail_salon')).toBe('nail_salon, named');
    expect(meant('Nail bars')).toBe('nail_salon, named');
    expect(meant('CAFÉ')).toBe('cafe, named');
    expect(meant('cafe')).toBe('cafe, named');
    expect(meant('a small yoga studio')).toBe('yoga_studio, named');
  });

  test('finds a name of several words inside a longer text', () => {
    expect(meant('3-chair nail salon in Ontario')).toBe('nail_salon, named');
    expect(meant('wedding photographer, NZ')).toBe('photographer, named');
  });

  test('reports that it took the nearest trade for a typo, a single matching word or shared words', () => {
    expect(meant('hairdreser')).toBe('hairdresser, nearest');
    expect(meant('electricain')).toBe('electrician, nearest');
    expect(meant('plumbing van and drains')).toBe('plumber, nearest');
    expect(meant('vegan bakery')).toBe('bakery, nearest');
  });

  test('tries the words before “with” and “and” first: a bookshop with a café is a bookshop', () => {
    expect(meant('bookshop with a café')).toBe('retail_shop, named');
    expect(meant('café and bookshop')).toBe('cafe, named');
    expect(meant('hair and makeup artist')).toBe('makeup_artist, named');
  });

  test('prefers the noun at the end to the words before it', () => {
    expect(meant('handmade jewellery')).toBe('jewellery_maker, named');
    expect(meant('handmade silver jewellery')).toBe('jewellery_maker, nearest');
    expect(meant('handmade candles')).toBe('etsy_seller, named');
    expect(meant('handmade wooden toys')).toBe('etsy_seller, nearest');
  });

  test('takes any shop whose words begin with “online” for an online shop', () => {
    expect(meant('online clothing shop')).toBe('online_shop, named');
    expect(meant('online shoe store')).toBe('online_shop, named');
    expect(meant('clothing store')).toBe('retail_shop, named');
  });

  test('reads a choir as a club, and recognizes accounting practices and funeral directors', () => {
    expect(['choir', 'accounting practice', 'funeral director'].map(meant)).toEqual([
      'choir, named',
      'bookkeeper, named',
      'funeral_director, named',
    ]);
  });

  test('does not confuse similar trades', () => {
    expect(meant('early childhood centre')).toBe('childminder, named');
    expect(meant('immigration consultant')).toBe('immigration_consultant, named');
    expect(meant('mobile bike repair')).toBe('bike_shop, named');
    expect(meant('plant nursery')).toBe('plant_nursery, named');
    expect(meant('nursery')).toBe('childminder, named');
    expect(['food bank', 'cat rescue', 'museum', 'football club', 'charity'].map(meant)).toEqual([
      'food_bank, named',
      'animal_rescue, named',
      'museum, named',
      'sports_club, named',
      'charity, named',
    ]);
  });

  test('distinguishes rooms from activities, coaches from consultants and trees from gardens, and recognizes food producers', () => {
    expect(['farm stay', 'tour guide', 'escape room', 'business coach', 'HR consultant'].map(meant)).toEqual([
      'bed_and_breakfast, named',
      'activities, named',
      'indoor_activities, named',
      'coach, named',
      'consultant, named',
    ]);
    expect(
      ['tree surgeon', 'acupuncture clinic', 'beekeeper', 'market stall', 'mortgage broker'].map(meant),
    ).toEqual([
      'tree_surgeon, named',
      'therapist, named',
      'food_producer, named',
      'food_producer, named',
      'consultant, named',
    ]);
  });

  test('finds every trade by each of its own words', () => {
    for (const trade of TRADES)
      for (const word of [trade.id, trade.name, ...trade.words])
        expect([word, meant(word)]).toEqual([
          word,
          `${trade.id}, ${trade.near?.includes(word) ? 'nearest' : 'named'}`,
        ]);
  });

  test('gives a neighboring trade the tools of the nearest one, but no words about its work', () => {
    const { trade } = tradeOf('pool cleaning') ?? {};
    expect([trade?.id, trade?.is_neighbor, trade?.first_hour]).toEqual(['gardener', true, undefined]);
    expect(Object.keys(trade?.tools ?? {})).toContain('payroll_hr');
    const paid = worthPayingFor(trade ?? null, 'trades').map(({ id }) => id);
    expect(paid).toContain('jobber');
    expect(paid).not.toContain('yardbook');
    // A typing error or a word before the name of a trade does not make a neighbor.
    for (const text of ['electricain', 'vegan bakery'])
      expect(tradeOf(text)?.trade.is_neighbor).toBeUndefined();
  });

  test('looks at the work and not at general words such as contractor, shop or maker', () => {
    for (const [id, names] of Object.entries(NAMES))
      for (const name of names.split('|'))
        expect([name, tradeOf(name)?.trade.id ?? 'none']).toEqual([name, id]);
  });

  test('matches a trade that is not in the table to the nearest one, and marks it as nearest', () => {
    for (const { id, words, near = [] } of TRADES)
      expect([id, words]).toEqual([id, expect.arrayContaining([...near])]);
    expect(['butcher', 'the butcher shop in town', 'dental practice'].map(meant)).toEqual([
      'bakery, nearest',
      'bakery, nearest',
      'therapist, nearest',
    ]);
  });

  test('returns null if no trade is near, the text is empty, or it is too long', () => {
    for (const text of ['ventriloquist', 'farmer', 'wedding venue', 'travel agent', 'qwertz', 'a', '', ' - '])
      expect([text, meant(text)]).toEqual([text, null]);
    expect(meant(`plumber ${'x'.repeat(MAX_TRADE_CHARACTERS)}`)).toBeNull();
  });
});

describe('the trade of a quote', () => {
  test.each(TRADES.map(({ name, quote: { lines } }) => [name, lines.map(({ description }) => description)]))(
    'is recognized from its example lines: %s',
    (name, lines) => {
      expect(tradeOfLines(lines as readonly string[])?.name).toBe(name);
    },
  );

  test.each([
    ['Florist', 'Bridal bouquet|Table flowers'],
    ['Web developer', 'Website design|Hosting'],
    ['Cleaning company', 'Deep clean of kitchen'],
    [undefined, 'Labour|Materials|Travel'],
    [undefined, 'Item 1'],
    [undefined, 'Roses|Vases|Delivery'],
    [undefined, ''],
  ])('is %s if the lines are %s', (name, lines) => {
    expect(tradeOfLines(lines.split('|'))?.name).toBe(name);
  });
});
