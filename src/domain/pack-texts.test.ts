import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import type { PackRequest } from './pack-request.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

const worked: Partial<PackRequest> = {
  items: items([3, '33.33'], ['1.5', 80], [1, '19.99']),
  discountPercent: dec(5),
  taxPercent: dec('8.25'),
  depositPercent: dec(25),
};

describe('inclusions are cumulative and parallel', () => {
  const { tiers } = pack(worked);

  it('each option has all of the one before', () => {
    tiers.forEach(({ includes, adds }, index) => {
      expect(includes).toEqual([...(tiers[index - 1]?.includes ?? []), ...adds]);
    });
    expect(new Set(tiers[2].includes).size).toBe(5);
  });

  it('promises no number, term or brand', () => {
    for (const text of tiers.flatMap(({ includes, summary }) => [...includes, summary]))
      expect(text).not.toMatch(/[0-9%]|year|warrant|guarantee/i);
  });

  it('one pack cannot change the next', () => {
    const first = pack(worked);
    first.tiers[0].includes.push('x');
    first.tiers[2].adds.length = 0;
    expect(pack(worked).tiers).toEqual(tiers);
  });
});

it('the words of a worked pack', () => {
  const { terms, coverNote, caveats, warnings, tiers } = pack({ ...worked, businessName: 'Bright Studio' });
  expect(tiers.map(({ tier, label, summary }) => `${tier}: ${label}. ${summary}`)).toMatchInlineSnapshot(`
    [
      "good: Essential. The listed work at the base price.",
      "better: Enhanced. Everything in Essential, and what this option adds.",
      "best: Premium. Everything in Enhanced, and what this option adds.",
    ]
  `);
  expect(terms.map(({ title, text }) => `${title}: ${text}`)).toMatchInlineSnapshot(`
    [
      "Validity: These prices are valid through 21 December 2026. After that day they may change.",
      "Acceptance: Choose one option and accept it in writing, by email or signature. The other options then lapse.",
      "Deposit: A deposit of 25% of the chosen total is payable on acceptance: $61.70 for Essential, $77.12 for Enhanced or $92.55 for Premium. It counts towards the total.",
      "Balance: The rest of the total is due on completion, unless we agree otherwise in writing.",
      "Scope: The price covers the items and inclusions listed in the chosen option, and nothing else.",
      "Changes: Extra or different work is described, priced and approved in writing before it starts.",
      "Schedule: Dates are agreed after acceptance and receipt of the deposit. Either side tells the other promptly if a date has to move.",
      "Discount: Each total includes a discount of 5%, taken off before tax is worked out.",
      "Taxes: Each total includes tax at 8.25%. If the law changes a rate before invoicing, the tax changes with it.",
      "Cancellation and disputes: If you cancel after acceptance, work already done and materials already ordered remain payable. Rights that the law gives you, for example to cancel within a set time, are not affected. Please raise any concern promptly in writing so that it can be put right.",
    ]
  `);
  expect(coverNote.subject).toMatchInlineSnapshot(
    `"Your quote from Bright Studio: three options, valid through 21 December 2026"`,
  );
  expect(coverNote.body).toMatchInlineSnapshot(`
    "Hello,

    Thank you for the opportunity to quote. Here are three ways to have this done:

    Essential: $246.79
    Enhanced: $308.48
    Premium: $370.20

    We recommend Enhanced. It has everything in Essential, and adds:
    - Priority when dates are agreed
    - A follow-up check after completion

    Inclusions and terms are set out with the options.

    The totals include a discount of 5% and tax at 8.25%. A deposit of 25% books the work; for Enhanced that is $77.12. The prices are valid through 21 December 2026.

    To accept, reply with the name of your option. If anything is unclear, just ask.

    Kind regards,
    Bright Studio"
  `);
  expect(warnings).toEqual([]);
  expect(caveats).toMatchInlineSnapshot(`
    [
      "The additions of Enhanced and Premium are suggestions of ours: each must be true before you send the pack. Keep what you will really do, or send words of your own.",
      "Some places limit deposits, for example home improvement in California to 10% or 1,000 dollars, whichever is less: check before you ask for this one.",
      "Tax is worked out once, at one rate, on the sum after the discount: check that the rate covers every line.",
      "The terms are general wording. Have them checked for your place and trade.",
      "A markup is applied to each unit price and rounded there, so every line total can be checked as quantity times the price shown.",
    ]
  `);
});

it('the words of a pack without deposit, tax or name', () => {
  const { terms, coverNote, caveats } = pack();
  const term = (title: string) => terms.find((each) => each.title === title)?.text;
  expect(term('Deposit')).toBe('No deposit is required.');
  expect(term('Balance')).toBe('The total is due on completion, unless we agree otherwise in writing.');
  expect(term('Taxes')).toBe('No tax is included. It is added only where the law requires it.');
  expect(term('Schedule')).not.toContain('deposit');
  expect(coverNote.subject).toBe('Your quote: three options, valid through 21 December 2026');
  expect(coverNote.body).toContain('No tax is included. No deposit is needed to book.');
  expect(coverNote.body.endsWith('\n\nKind regards')).toBe(true);
  expect(caveats.join()).not.toContain('deposit');
});

describe('a pack paid in full at once, or not at all, says so', () => {
  const words = (changes: Partial<PackRequest>) => {
    const { terms, coverNote } = pack(changes);
    const term = (title: string) => terms.find((each) => each.title === title)?.text;
    return { term, body: coverNote.body };
  };

  it('a deposit of 100% leaves no rest', () => {
    const { term, body } = words({ depositPercent: dec(100) });
    expect(term('Deposit')).toBe(
      'The whole of the chosen total is payable on acceptance: $20.00 for Essential, $25.00 for Enhanced or $30.00 for Premium.',
    );
    expect(term('Balance')).toBe('Nothing more is due on completion: the whole total is paid on acceptance.');
    expect(term('Schedule')).toContain('after acceptance and receipt of the payment.');
    expect(body).toContain('Payment of the whole total books the work; for Enhanced that is $25.00.');
  });

  it.each([
    ['a discount of 100%', { discountPercent: dec(100) }],
    ['prices of 0', { items: items([1, 0]) }],
  ])('%s asks for no deposit and no total', (_, changes) => {
    const { term, body } = words({ ...changes, depositPercent: dec(30), taxPercent: dec(8) });
    expect(term('Deposit')).toBe('No deposit is required.');
    expect(term('Balance')).toBe('The total of each option is 0, so nothing is due.');
    expect(term('Schedule')).not.toContain('receipt');
    expect(body).toContain('Nothing is payable for any option. The prices are valid through');
    expect(body).not.toMatch(/deposit|tax/);
  });

  it('a credit that leaves only the cheapest option at 0 keeps the deposit of the others', () => {
    const { term, body } = words({ items: items([1, 100], [1, -100]), depositPercent: dec(30) });
    expect(term('Deposit')).toContain('$0.00 for Essential, $7.50 for Enhanced or $15.00 for Premium');
    expect(term('Balance')).toContain('The rest of the total');
    expect(body).toContain('for Enhanced that is $7.50');
  });
});

describe('the cover note is short and literal', () => {
  it('a name that does not fit the subject is left out of it, never cut', () => {
    const businessName = `${'Long name '.repeat(12)}`.trim();
    const { subject, body } = pack({ businessName }).coverNote;
    expect(subject).toBe('Your quote: three options, valid through 21 December 2026');
    expect(body.endsWith(`Kind regards,\n${businessName}`)).toBe(true);
  });

  it('a name is worth more in the subject than the last day', () => {
    expect(pack({ businessName: "Joe's Plumbing LLC" }).coverNote.subject).toBe(
      "Your quote from Joe's Plumbing LLC: three options",
    );
  });

  it('a name is one line and not a template', () => {
    const { subject, body } = pack({ businessName: '$& {{x}}\r\nBcc: a@b.c' }).coverNote;
    expect(subject).toBe('Your quote from $& {{x}} Bcc: a@b.c: three options');
    expect(body.endsWith('Kind regards,\n$& {{x}} Bcc: a@b.c')).toBe(true);
  });

  it.each([
    {},
    { depositPercent: dec(20) },
    { depositPercent: dec(20), taxPercent: dec(8), currency: 'CHF' },
    { taxPercent: dec(8) },
    { depositPercent: dec(100) },
    { discountPercent: dec(100) },
  ])('has 70 to 110 words: %o', (changes) => {
    const words = pack(changes).coverNote.body.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(70);
    expect(words).toBeLessThanOrEqual(110);
  });
});
