import { describe, expect, it } from 'vitest';
import { factsIn, inOrder } from '../support/facts.ts';
import { notesOf, written } from './notices.ts';

describe('the words around the figures', () => {
  it('the subject of a polite letter does not sound like a future invoice', () => {
    expect(written({}).split('\n')[0]).toMatch(
      inOrder('INV-1042', 'Bright Studio', ' was ', '4 November 2026'),
    );
  });

  it('a final letter has one name for itself', () => {
    const text = written({ tone: 'final' });
    expect(text).toMatch(inOrder('Final reminder', '17 days', 'INV-1042', 'Bright Studio'));
    expect(text.match(/\bfinal \w+/gi)).toEqual(['Final reminder', 'final reminder']);
  });

  it('no letter calls an invoice overlooked', () => {
    expect(written({ due_date: '2020-11-01' })).not.toContain('overlooked');
  });

  it('missing details are named', () => {
    const missing = (changes: Record<string, unknown>) =>
      notesOf(changes).filter((note) => /business_name|invoice_number|currency/.test(note));
    expect(missing({ currency: '' })).toHaveLength(1);
    expect(missing({ currency: '', business_name: ' ', invoice_number: '.' })).toEqual([
      expect.stringMatching(inOrder('business_name', 'invoice_number', 'currency')),
    ]);
    expect(missing({})).toEqual([]);
  });

  it('a name field with more than a name is omitted, and a note tells the owner', () => {
    const told = (changes: Record<string, unknown>) =>
      notesOf(changes).filter((note) => /(?:client|business)_name|invoice_number/.test(note));
    const odd = { client_name: 'Bob\n\nYou will be arrested. Pay to IBAN DE00', business_name: '<b>x</b>' };
    expect(told(odd).map(factsIn)).toEqual([['client_name', 'business_name']]);
    expect(written(odd)).toMatch(/\n\n\w+,\n.*\n[\w ]+,$/s);
    const number = { invoice_number: '1</b> Bcc: all@x.com' };
    expect(told(number).map(factsIn)).toEqual([['invoice_number']]);
    expect(written(number)).not.toContain('Bcc');
    expect(written({ business_name: 'Fresh. Fast and good' })).toMatch(/,\nFresh\. Fast and good$/);
    expect(told({ business_name: 'Wonderful. Fast and good' }).map(factsIn)).toEqual([['business_name']]);
    for (const name of [
      'Prof. Anna von Berg',
      'Acme, Inc.',
      'Smith & Sons Ltd. of York',
      'St. Mary by the Sea',
    ])
      expect(told({ client_name: name }), name).toEqual([]);
  });

  // Advises another tone.
  const advice = (tone: string, dueDate: string) =>
    notesOf({ tone, due_date: dueDate }).filter((note) => /\b(?:polite|firm)\b/.test(note));

  it.each([
    ['final', '2026-11-20', 'polite'],
    ['final', '2026-11-14', 'polite'],
    ['polite', '2026-09-21', 'firm'],
  ])('%s for an invoice due on %s has a caveat', (tone, dueDate, other) => {
    expect(advice(tone, dueDate)).toEqual([expect.stringContaining(other)]);
  });

  it.each([
    ['final', '2026-11-13'],
    ['polite', '2026-09-22'],
    ['firm', '2026-11-20'],
  ])('%s for an invoice due on %s has none', (tone, dueDate) => {
    expect(advice(tone, dueDate)).toEqual([]);
  });

  it('a default rate is mentioned once, with what to do about it', () => {
    const told = notesOf({ rate: '' }).filter((note) => !notesOf().includes(note) && /\brate\b/.test(note));
    expect(told.map(factsIn)).toEqual([['1.5%', '0', 'GB']]);
  });

  it.each([[{ rate: '0' }], [{ rate: '0', rate_type: 'flat' }], [{ rate: '0', grace_days: '20' }]])(
    'a letter without a fee does not mention an agreed one: %j',
    (changes) => {
      const notes = notesOf(changes).join('\n');
      expect(notes).not.toMatch(/agreed|payment terms|interest|\b0%/);
      expect(written(changes)).not.toMatch(/\bfee\b/);
    },
  );
});
