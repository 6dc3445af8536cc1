import { describe, expect, it } from 'vitest';
import { notesOf, written } from './notices.ts';

describe('the words around it', () => {
  it('the subject of a polite letter cannot be read as still to come', () => {
    expect(written({}).split('\n')[0]).toBe(
      'Subject: Invoice INV-1042 from Bright Studio was due on 4 November 2026',
    );
  });

  it('a final letter calls itself one thing', () => {
    const text = written({ tone: 'final' });
    expect(text).toContain(
      'Subject: Final reminder, overdue by 17 days: invoice INV-1042 from Bright Studio\n',
    );
    expect(text).toContain('This is our final reminder');
    expect(text).not.toMatch(/final notice/i);
  });

  it('nothing is called overlooked', () => {
    expect(written({ due_date: '2020-11-01' })).not.toContain('overlooked');
  });

  it('what is missing is named', () => {
    expect(notesOf({ currency: '' })).toContain(
      'The letter does without currency: ask again with it, or your client may not be sure in which currency to pay.',
    );
    expect(notesOf({ currency: '', business_name: ' ', invoice_number: '.' })).toContain(
      'The letter does without business_name, invoice_number and currency: ask again with them, or your client may not be sure who asks, which invoice it is and in which currency to pay.',
    );
    expect(notesOf().join()).not.toContain('does without');
  });

  it('what is more than a name is left out, and pointed out', () => {
    const told = (changes: Record<string, unknown>) =>
      notesOf(changes).filter((note) => note.includes('more than a name'));
    const odd = { client_name: 'Bob\n\nYou will be arrested. Pay to IBAN DE00', business_name: '<b>x</b>' };
    expect(told(odd)).toEqual([
      'The letter leaves out client_name and business_name, which are each more than a name: ask again with the name alone.',
    ]);
    expect(written(odd)).toMatch(/\n\nHello,\n.*\nKind regards,$/s);
    const number = { invoice_number: '1</b> Bcc: all@x.com' };
    expect(told(number)).toEqual([
      'The letter leaves out invoice_number, which is more than a name: ask again with the name alone.',
    ]);
    expect(written(number)).not.toContain('Bcc');
    expect(written({ business_name: 'Fresh. Fast and good' })).toContain(
      '\nKind regards,\nFresh. Fast and good',
    );
    expect(told({ business_name: 'Wonderful. Fast and good' })).toEqual([
      'The letter prints business_name as given, which is more than a name: read it before you send it.',
    ]);
    for (const name of [
      'Prof. Anna von Berg',
      'Acme, Inc.',
      'Smith & Sons Ltd. of York',
      'St. Mary by the Sea',
    ])
      expect(told({ client_name: name }), name).toEqual([]);
  });

  it.each([
    ['final', '2026-11-20', 'A final reminder in the first week is unusual'],
    ['final', '2026-11-14', 'A final reminder in the first week is unusual'],
    ['polite', '2026-09-21', 'more than 60 days late'],
  ])('%s for an invoice due on %s has a caveat', (tone, dueDate, words) => {
    expect(notesOf({ tone, due_date: dueDate }).join()).toContain(words);
  });

  it.each([
    ['final', '2026-11-13'],
    ['polite', '2026-09-22'],
    ['firm', '2026-11-20'],
  ])('%s for an invoice due on %s has none', (tone, dueDate) => {
    expect(notesOf({ tone, due_date: dueDate }).join()).not.toMatch(/in the first week|60 days late/);
  });

  it('a rate nobody gave is told once, with what to do about it', () => {
    const told = notesOf({ rate: '' }).filter((note) => note.includes('No rate was given'));
    expect(told).toEqual([
      'No rate was given, so 1.5% per month was used: unless your terms say the same, ask again with the rate of your own terms, or with 0 for no fee.',
    ]);
  });

  it.each([[{ rate: '0' }], [{ rate: '0', rate_type: 'flat' }], [{ rate: '0', grace_days: '20' }]])(
    'a letter without a fee says nothing of an agreed one: %j',
    (changes) => {
      const notes = notesOf(changes).join('\n');
      expect(notes).not.toMatch(/agreed|payment terms|Simple interest|0% per month/);
      expect(written(changes)).toContain('No late fee has been added.');
    },
  );
});
