import { describe, expect, it } from 'vitest';
import { CASE, notesOf, notice, TONES, written } from './notices.ts';

/** The grace ends on the day that the letter comes, so that what is asked for has a fee. */
const LAST_DAY_OF_GRACE = { grace_days: '17' };

describe('a fee that begins before the day to pay by', () => {
  it.each(TONES)('%s: is a part of the sum that is asked, and has a line', (tone) => {
    const text = written({ ...LAST_DAY_OF_GRACE, tone });
    expect(text).toContain(
      [
        'Invoice: £1,250.00',
        'Total if paid by 21 November 2026: £1,250.00',
        'Total if paid on 30 November 2026, with a late fee of £5.63: £1,255.63',
      ].join('\n'),
    );
    expect(text).toMatch(
      /A late fee of 1\.5% per month of 30 days applies from 22 November 2026 under (?:our|the) payment terms: £0\.625 for each day after 21 November 2026\./,
    );
  });

  it('is named before what is asked', () => {
    expect(written(LAST_DAY_OF_GRACE)).toContain(
      'for each day after 21 November 2026. Could you please pay £1,255.63 by 30 November 2026, or the total for the day if you pay earlier, using',
    );
  });

  it('holds from its first day where it is flat', () => {
    const text = written({ ...LAST_DAY_OF_GRACE, rate_type: 'flat', rate: '25' });
    expect(text).toContain(
      'Total if paid from 22 November 2026 to 30 November 2026, with a late fee of £25.00: £1,275.00\n',
    );
    expect(text).toContain(
      'A late fee of £25.00 applies from 22 November 2026 under our payment terms. Could',
    );
  });

  it('is never denied: no letter asks for a fee and says that none was added', () => {
    for (const tone of TONES)
      for (let grace = 0; grace <= 40; grace++)
        for (const changes of [
          {},
          { rate: '' },
          { rate_type: 'flat', rate: '25' },
          { min_fee: '25' },
          { max_fee: '2' },
          { rate: '11.75', rate_type: 'annual_percent' },
          { paid_date: '2026-11-10' },
          { pay_within_days: '1' },
        ]) {
          const text = written({ ...changes, tone, grace_days: String(grace) });
          const asked = /pay £([\d,.]*\d)/.exec(text)?.[1];
          expect(text.includes('No late fee has been added'), text).toBe(asked === '1,250.00');
        }
  });
});

it.each(TONES)('%s: a daily figure that is cut off has the form of an exact one', (tone) => {
  const annual = { tone, rate: '11.75', rate_type: 'annual_percent' };
  expect(written(annual)).toContain(': about £0.4024 for each day after 4 November 2026');
  expect(written({ ...annual, grace_days: '20' })).toContain(
    ': about £0.4024 for each day after 24 November 2026.',
  );
  expect(written({ tone, grace_days: '20' })).toContain(': £0.625 for each day after 24 November 2026.');
  expect(written({ ...annual, max_fee: '50' })).toMatch(
    /: about £0\.4024 for each day after 4 November 2026.*, up to £50\.00\./,
  );
});

describe('the note on the day of a letter', () => {
  const told = (changes: object, today?: string) =>
    notesOf({ ...changes }, today).filter((note) => note.includes('nothing was paid by'));

  it.each(TONES)('%s: says that the letter is for its day, whether the day was given or not', (tone) => {
    const said =
      'The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.';
    for (const changes of [{}, { rate: '' }, { paid_date: '2026-11-21' }]) {
      const [note, ...others] = told({ tone, ...changes });
      expect(note).toContain(said);
      expect(others).toEqual([]);
    }
    // Somewhere the next day has begun.
    expect(told({ tone, paid_date: '2026-11-22' })[0]).toContain('are counted to 22 November 2026: send');
  });

  it('speaks of a fee only where days count for it', () => {
    for (const changes of [{ rate: '0' }, { grace_days: '20' }, { rate_type: 'flat', rate: '25' }])
      expect(told(changes)).toEqual([
        'The days are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.',
      ]);
  });

  it('tells a past day from the one that the letter is for', () => {
    const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };
    const rest =
      'It says that nothing was paid by 21 January 2026: if your client has paid, do not send it. Leave paid_date out for a letter of today; what was due on 21 January 2026 is in this answer alone.';
    expect(told(past)).toEqual([
      `The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. ${rest}`,
    ]);
    expect(told({ ...past, rate: '0' })).toEqual([
      `The letter is for 21 November 2026: send it that day, or ask again. ${rest}`,
    ]);
  });
});

describe('a final reminder as of a day that is past', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };
  const said =
    'A final reminder should not rest on records of 21 January 2026: check for a payment since then, and ask again without paid_date.';

  it('has a note before all others', () => {
    for (const changes of [{}, { rate: '' }, { rate: '0' }, { rate_type: 'flat', rate: '25' }]) {
      const [first, ...others] = notesOf({ ...past, ...changes, tone: 'final' });
      expect(first).toBe(said);
      expect(others.join()).not.toContain('paid_date');
      expect(others.join()).toContain('What was due on 21 January 2026 is in this answer alone.');
    }
  });

  it('no other letter has it', () => {
    for (const tone of ['polite', 'firm']) expect(notesOf({ ...past, tone })).not.toContain(said);
    expect(notesOf({ tone: 'final', paid_date: '2026-11-21' })).not.toContain(said);
  });
});

describe('five notes', () => {
  const LIMITS = 'Many places limit late fees and protect consumers more than businesses';
  const DEMAND = 'This is a reminder, not a formal demand that a court may require before a claim.';
  const odd = [
    { currency: '' },
    { currency: '', business_name: '', invoice_number: '' },
    { currency: '', client_name: '<b>x</b>', business_name: '<b>x</b>' },
    { currency: '', invoice_number: 'Credit note 3' },
    { currency: '', due_date: '2019-12-31', rate: '5' },
    { currency: '', amount: '0.01', due_date: '2019-12-31' },
    { due_date: '1996-11-04', rate: '0.015', paid_date: '2026-11-22' },
    { due_date: '2026-11-20' },
    { grace_days: '20' },
    { paid_date: '2026-11-10' },
  ];

  it.each(TONES)('%s: have room for what limits a fee, and for what a final reminder is not', (tone) => {
    for (const one of odd)
      for (const other of odd)
        for (const rate of [{}, { rate: '' }, { rate: '40' }, { rate: '25', rate_type: 'flat' }]) {
          const changes = { ...one, ...other, ...rate, tone };
          if (notice({ ...CASE, ...changes }).body === null) continue;
          const notes = notesOf(changes);
          expect(notes.length).toBeLessThanOrEqual(5);
          expect(notes.join('\n')).toContain(LIMITS);
          expect(notes.join('\n').includes(DEMAND)).toBe(tone === 'final');
        }
  });

  it('are one where something is to be given otherwise', () => {
    const asked = notesOf({ currency: '', invoice_number: 'Credit note 3', client_name: '<b>x</b>' });
    expect(asked.filter((note) => note.includes('ask again with'))).toEqual([
      'The letter leaves out client_name, which is more than a name: ask again with the name alone. invoice_number names a credit note, which a client does not pay, so the letter leaves it out: ask again with the number of the invoice. The letter does without currency: ask again with it, or your client may not be sure in which currency to pay.',
    ]);
  });

  it('are one where courts refuse a fee and places limit it', () => {
    expect(notesOf({ rate_type: 'flat', rate: '1250.01' }).filter((note) => note.includes(LIMITS))).toEqual([
      'The fee is larger than the invoice itself. Courts tend to refuse a charge out of proportion to the debt. Many places limit late fees and protect consumers more than businesses: check the rule for you and your client; this is arithmetic on the figures given, not legal advice.',
    ]);
  });
});

describe('what a client is offered and told', () => {
  it('no other date suits better while there are days of grace', () => {
    for (const grace of ['17', '20', '365']) {
      const text = written({ grace_days: grace });
      expect(text).toContain('? If you cannot pay by then, reply and tell us when you will.');
      expect(text).not.toContain('suits you better');
    }
    expect(written()).toContain('? If another date suits you better, reply and tell us which.');
  });

  it('the day to answer by does not read as the day to pay by', () => {
    for (const changes of [{}, { rate_type: 'flat', rate: '25' }])
      expect(written({ ...changes, tone: 'final', grace_days: '20' })).toContain(
        'If by 30 November 2026 we have neither a reply nor the total then due, we will decide, without another reminder, how to recover the amount owed.',
      );
    expect(written({ tone: 'final' })).toContain(
      'If we have neither payment nor a reply by 30 November 2026, we will decide',
    );
  });

  it.each(TONES)('%s: several invoices have one sum together', (tone) => {
    expect(written({ tone, invoice_number: 'Invoices 3 and 4' })).toMatch(
      /nvoices 3 and 4 for £1,250\.00 together[., ]/,
    );
    expect(written({ tone })).not.toContain('together');
  });

  it.each(TONES)('%s: a fee that nobody gave is named in a sentence', (tone) => {
    const words = { polite: 'The total includes', firm: 'The sum due includes', final: 'We have added' }[
      tone
    ];
    expect(written({ tone, rate: '', rate_type: 'flat' })).toContain(`${words} a flat late fee of £1.50.`);
    expect(written({ tone, rate: '' })).toContain(
      `${tone === 'polite' ? 'The totals include' : words} a late fee of 1.5% per month of 30 days: £0.625 for each day after 4 November 2026.`,
    );
    expect(written({ tone, rate: '', min_fee: '25' })).toContain(
      `${words} a late fee of 1.5% per month of 30 days, at least £25.00.`,
    );
    expect(written({ tone, rate: '', max_fee: '50' })).toContain(
      'for each day after 4 November 2026, up to £50.00.',
    );
  });
});
