import { describe, expect, it } from 'vitest';
import { answer, green, packed, quoted } from '../../../../test/support/papers.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { linesCsv } from './downloads.ts';
import { letterSheet, letterText } from './letter-sheet.ts';
import { BLANK, paperIn, paperQuery, withoutPaper } from './letterhead.ts';
import { sheetText } from './sheet.ts';

describe('a letter on paper', () => {
  it.each(['polite', 'firm', 'final'])('says word for word what the %s email says', (tone) => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', {
      tone,
      payment_details: 'Green Gardens\nAccount: 12345678',
    });
    const words = (text: string) => text.match(/[^\s:\-−]+/g)?.join(' ');
    const { parts } = letterSheet(body, green, '2026-11-22');
    const [, ...letter] = sheetText({
      ...letterSheet(body, BLANK, '2026-11-22'),
      business: '',
      facts: [],
    }).split(body.reminder.subject);
    expect(words(letter.join(body.reminder.subject))).toBe(words(body.reminder.body));
    expect(parts[0]).toEqual({ subject: body.reminder.subject });
    expect(parts.some((part) => 'figures' in part)).toBe(true);
  });

  it("has the signer's name as its heading", () => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice');
    expect(letterSheet(body, BLANK, '2026-11-22').business).toBe('Green Gardens');
    const nameless = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', { business_name: undefined });
    expect(letterSheet(nameless, BLANK, '2026-11-22').business).toBe('');
    expect(letterText(nameless, BLANK)).toMatch(/\n\nRegards,$/);
    expect(letterText(nameless, green)).toMatch(/,\nGreen Gardens$/);
  });
});

describe('text that an owner adds to a document', () => {
  it('is in the link of the document together with the day, and is read back unchanged', () => {
    const query = paperQuery({ letterhead: green, issuedOn: '2026-11-21' });
    expect(paperIn(`items.unit_price=5&${query}`)).toEqual({ letterhead: green, issuedOn: '2026-11-21' });
    expect(String(withoutPaper(`items.unit_price=5&${query}`))).toBe('items.unit_price=5');
    expect(paperQuery({ letterhead: BLANK, issuedOn: null })).toBe('');
    expect(paperIn('paper.issued_on=2026-02-30').issuedOn).toBeNull();
  });
});

describe('the lines that are copied to a spreadsheet', () => {
  it('contain plain numbers, and no text that is a formula', () => {
    const items = [
      { description: '=1+1', quantity: 2, unit_price: 450 },
      { description: 'Pot, "blue"', unit_price: 7.25 },
    ];
    expect(linesCsv(quoted({ items }))).toBe(
      '\uFEFFDescription,Quantity,Unit price,Tax percent,Amount,Currency\r\n' +
        "'=1+1,2,450,8.25,900,GBP\r\n" +
        '"Pot, ""blue""",1,7.25,8.25,7.25,GBP\r\n',
    );
    expect(linesCsv(packed()).split('\r\n')[1]).toBe('Essential,Garden design,2,450,8.25,900,USD');
  });
});
