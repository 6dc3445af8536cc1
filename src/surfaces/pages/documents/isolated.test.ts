import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../test/support/app.ts';
import { type Day, parseDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { htmlOf } from '../markup.ts';
import { letterSheet } from './letter.ts';
import { BLANK } from './letterhead.ts';
import { isolatedIn, SheetView } from './sheet-view.tsx';

const CLIENT = 'פרחים בע״מ (2019)!';
const BUSINESS = 'ورود (دبي)!';
const NUMBER = 'ק-118';

function letter(tone: string) {
  const operation = catalog.find(({ name }) => name === 'late_fee_notice');
  const values = {
    ...operation?.example,
    tone,
    client_name: CLIENT,
    business_name: BUSINESS,
    invoice_number: NUMBER,
  };
  const today = parseDay('2026-11-21') as Day;
  const validated = operation && validate(operation, { values, faults: [] }, { today });
  const found = validated?.ok ? operation?.run(validated.input, { today }) : undefined;
  if (found?.kind !== 'answer') throw new Error('no letter');
  return found.body as AnswerOf<'late_fee_notice'>;
}

const textOf = (html: string): string =>
  html
    .replace(/<br\/>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');

describe('a name in another writing direction inside a sentence', () => {
  it('is not found inside a longer word', () => {
    expect(isolatedIn('Thanks from ורדים today', ['ורד'])).toEqual(['Thanks from ', 'ורדים', ' today']);
  });

  it('is searched for only once, even in a very long word', () => {
    // A search that restarted at every character of the word would take minutes.
    for (const word of [
      'a'.repeat(60_000),
      'ב!'.repeat(30_000),
      `ב${'!'.repeat(60_000)}`,
      'a.'.repeat(30_000),
    ])
      expect(isolatedIn(`to ${word} ב`, ['ורד']).join('')).toBe(`to ${word} ב`);
  });

  it('is isolated from the sentence together with its punctuation', () => {
    expect(isolatedIn(`Hello ${CLIENT},`, [CLIENT])).toEqual(['Hello ', CLIENT, ',']);
    expect(isolatedIn(`Invoice ${NUMBER} from ${BUSINESS}, due 4 November`, [BUSINESS])).toEqual([
      'Invoice ',
      NUMBER,
      ' from ',
      BUSINESS,
      ', due 4 November',
    ]);
    expect(isolatedIn('quote ק-118 2026 of 21 November', [])).toEqual([
      'quote ',
      'ק-118',
      ' 2026 of 21 November',
    ]);
    expect(isolatedIn('from ורד וגן, please', [])).toEqual(['from ', 'ורד וגן', ', please']);
  });

  it('is left unchanged if the whole line runs in its direction, or none of it does', () => {
    for (const line of [CLIENT, 'גן, 4 Park Row', 'Dear Acme Ltd,', '1,250.00', ''])
      expect(isolatedIn(line, ['Acme Ltd', CLIENT])).toEqual([line]);
  });

  it.each(['polite', 'firm', 'final'])(
    'is isolated in a %s letter, and the text that is sent stays the same',
    (tone) => {
      const body = letter(tone);
      const html = htmlOf(SheetView({ sheet: letterSheet(body, BLANK, '2026-11-22') }));
      expect(html).toContain(` <bdi>${CLIENT}</bdi>,`);
      expect(html).toMatch(new RegExp(`[iI]nvoice <bdi>${NUMBER}</bdi>`));
      expect(textOf(html)).toContain(body.reminder.subject);
      for (const line of body.reminder.body.split('\n').filter((one) => !/^- |^[^:]+: \S/.test(one)))
        expect(textOf(html)).toContain(line);
    },
  );
});
