import { describe, expect, it } from 'vitest';
import { factsIn, inOrder } from '../support/facts.ts';
import { CASE, notesOf, notice, TONES, written } from './notices.ts';

describe('the note on the day of a letter', () => {
  const told = (changes: object, today?: string) =>
    notesOf({ ...changes }, today).filter((note) => /\bpaid\b/.test(note));

  it.each(TONES)('%s: says that the letter is for its day, whether the day was given or not', (tone) => {
    for (const changes of [{}, { rate: '' }, { paid_date: '2026-11-21' }]) {
      const [note, ...others] = told({ tone, ...changes });
      expect(factsIn(note)).toEqual(['21 November 2026']);
      expect(others).toEqual([]);
    }
    // In some time zone the next day has begun.
    expect(told({ tone, paid_date: '2026-11-22' })[0]).toMatch(inOrder('22 November 2026'));
  });

  it('mentions a fee only if days count for it', () => {
    for (const changes of [{ rate: '0' }, { grace_days: '20' }, { rate_type: 'flat', rate: '25' }])
      expect(told(changes).map(factsIn)).toEqual([['21 November 2026']]);
  });

  it('distinguishes a past day from the one that the letter is for', () => {
    const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };
    const facts = ['21 November 2026', '21 January 2026', 'paid_date', '21 January 2026'];
    expect(told(past).map(factsIn)).toEqual([facts]);
    expect(told({ ...past, rate: '0' }).map(factsIn)).toEqual([facts]);
  });
});

describe('a final reminder as of a past day', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };
  /** Names the day of the records and the field to omit, which no other note of a final reminder does. */
  const said = expect.stringMatching(inOrder('21 January 2026', 'paid_date'));

  it('has a note before all others', () => {
    for (const changes of [{}, { rate: '0' }, { rate_type: 'flat', rate: '25' }]) {
      const [first, ...others] = notesOf({ ...past, ...changes, tone: 'final' });
      expect(first).toEqual(said);
      expect(others.join()).not.toContain('paid_date');
      expect(others.join()).toMatch(inOrder('21 January 2026'));
    }
  });

  it('is the only letter with that note', () => {
    // Only missing details come before it.
    expect(notesOf({ ...past, rate: '', tone: 'final' })[1]).toEqual(said);
    for (const tone of ['polite', 'firm']) expect(notesOf({ ...past, tone })[0]).not.toEqual(said);
    expect(notesOf({ tone: 'final', paid_date: '2026-11-21' }).join()).not.toContain('paid_date');
  });
});

describe('five notes', () => {
  const LIMITS = /\blegal advice\b/;
  const DEMAND = /\bcourt\b/;
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

  it.each(TONES)('%s: include the limits of a fee, and what a final reminder is not', (tone) => {
    for (const one of odd)
      for (const other of odd)
        for (const rate of [{}, { rate: '' }, { rate: '40' }, { rate: '25', rate_type: 'flat' }]) {
          const changes = { ...one, ...other, ...rate, tone };
          if (notice({ ...CASE, ...changes }).body === null) continue;
          const notes = notesOf(changes);
          expect(notes.length).toBeLessThanOrEqual(5);
          expect(notes.join('\n')).toMatch(LIMITS);
          expect(DEMAND.test(notes.join('\n'))).toBe(tone === 'final');
        }
  });

  it('are a single one if something has to be sent in another form', () => {
    const asked = notesOf({ currency: '', invoice_number: 'Credit note 3', client_name: '<b>x</b>' });
    expect(asked.filter((note) => /client_name|invoice_number|currency/.test(note))).toEqual([
      expect.stringMatching(inOrder('client_name', 'invoice_number', 'credit note', 'currency')),
    ]);
  });

  it('are a single one if courts refuse a fee and places limit it', () => {
    expect(notesOf({ rate_type: 'flat', rate: '1250.01' }).filter((note) => LIMITS.test(note))).toEqual([
      expect.stringMatching(/\bcourts\b.*\blegal advice\b/is),
    ]);
  });
});

describe('what a client is offered and told', () => {
  it('asks when the client can pay, regardless of the grace days', () => {
    /** The text after the question of whether the client can pay. */
    const offer = (changes: object) => /\? (?:.*\. )?(.*\.)\n/.exec(written({ ...changes }))?.[1];
    for (const grace of ['0', '17', '20', '365'])
      expect(offer({ grace_days: grace })).toBe(
        'If you cannot pay by then, reply and tell us when you will.',
      );
  });

  it('includes a day to reply by that does not look like the payment deadline', () => {
    const last = (changes: object) =>
      written({ ...changes, tone: 'final' })
        .split('\n\n')
        .at(-2)
        ?.split('. ')
        .at(-1);
    for (const changes of [{}, { rate_type: 'flat', rate: '25' }]) {
      expect(last({ ...changes, grace_days: '20' })).toContain('30 November 2026');
      expect(last({ ...changes, grace_days: '20' })).not.toBe(last(changes));
    }
  });

  it.each(TONES)('%s: has one sum for several invoices', (tone) => {
    expect(written({ tone, invoice_number: 'Invoices 3 and 4' })).toMatch(
      /nvoices 3 and 4 .*£1,250\.00 together\b/,
    );
    expect(written({ tone })).not.toContain('together');
  });

  it.each(TONES)('%s: names a default fee in a sentence', (tone) => {
    expect(written({ tone, rate: '', rate_type: 'flat' })).toMatch(inOrder(' late fee ', '£1.50'));
    expect(written({ tone, rate: '' })).toMatch(inOrder('interest of ', '1.5%', '30 days'));
    expect(written({ tone, rate: '', currency: 'USD' })).toMatch(inOrder(' late fee of ', '1.5%'));
    expect(written({ tone, rate: '', min_fee: '25' })).toMatch(
      inOrder('interest of ', '1.5%', '30 days', '£25.00'),
    );
    expect(written({ tone, rate: '', max_fee: '50' })).toMatch(inOrder('interest of ', '1.5%', '£50.00'));
  });
});
