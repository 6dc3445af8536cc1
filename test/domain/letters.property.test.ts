import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lateFee } from '../../src/domain/late-fee.ts';
import { TONES } from '../../src/domain/letter-facts.ts';
import { localDay } from '../../src/domain/locale.ts';
import { quotePack } from '../../src/domain/quote-pack.ts';
import { reminder } from '../../src/domain/reminder.ts';
import { cleanLine, codePoints } from '../../src/domain/text.ts';
import { hostileNames, lateFeeInputs, packInputs } from './arbitraries.ts';
import { letter, remind, reminderRequest } from './letter-samples.ts';
import { faultCodes, packRequest, valued } from './samples.ts';

const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Bidi_Control}\u200B\u2060\uFEFF\u{E0000}-\u{E007F}]/u;

const names = fc.record({
  tone: fc.constantFrom(...TONES),
  clientName: fc.option(hostileNames, { nil: null }),
  businessName: fc.option(hostileNames, { nil: null }),
  invoiceNumber: fc.option(
    hostileNames.map((name) => [...name].slice(0, 60).join('')),
    { nil: null },
  ),
});

describe('the cleaning of text', () => {
  it('produces one visible line that needs no further cleaning', () => {
    fc.assert(
      fc.property(hostileNames, (text) => {
        const clean = cleanLine(text);
        expect(clean).not.toMatch(UNSAFE);
        expect(clean).toBe(clean.trim());
        expect(clean).not.toContain('  ');
        expect(clean).toBe(clean.normalize('NFC'));
        expect(cleanLine(clean)).toBe(clean);
      }),
    );
  });

  it('leaves plain text unchanged', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]+( [!-~]+){0,5}$/), (text) => {
        expect(cleanLine(text)).toBe(text);
      }),
    );
  });
});

describe('a letter with hostile names', () => {
  it('has one-line names and a subject of at most 78 characters', () => {
    fc.assert(
      fc.property(names, (given) => {
        const { subject, body } = letter({}, given);
        expect(subject.length).toBeLessThanOrEqual(78);
        expect(subject).not.toMatch(UNSAFE);
        expect(body.replaceAll('\n', '')).not.toMatch(UNSAFE);
        const [closing, ...signed] = body.split('\n\n').at(-1)?.split('\n') ?? [];
        expect(closing).toMatch(/^[A-Z][a-z]+(?: [a-z]+)?,$/);
        expect(signed.length).toBeLessThanOrEqual(1);
        expect(body.split('\n\n')).toHaveLength(letter({}, { tone: given.tone }).body.split('\n\n').length);
      }),
    );
  });

  it('prints each name once, whole and literal', () => {
    fc.assert(
      fc.property(names, (given) => {
        const lines = letter({}, given).body.split('\n');
        // Characters that end a greeting or a line are not part of a name.
        const core = (line: string | undefined | null) => cleanLine(line ?? '').replace(/[\s,;:!.]+$/u, '');
        const [client, business, invoice] = [given.clientName, given.businessName, given.invoiceNumber].map(
          core,
        );
        const greeting = given.tone === 'polite' ? 'Hello' : 'Dear';
        // Dashes, dots and question marks alone are not a name, and neither is a word that says so. Markup and links
        // are removed.
        const isName = (name: string | undefined) =>
          !/^(?:[-–—?.]*|n\/a|none|tb[acd])$|<\/\p{L}+>|https?:\/\//iu.test(name ?? '');
        // A name with a greeting gets no second greeting, and an email address is removed.
        const isOther = /^(?:dear|hello|hi|hey|there)(?![\p{L}\p{N}])|@/iu.test(client ?? '');
        if (isName(client) && !isOther) expect(core(lines[0])).toBe(`${greeting} ${client}`);
        if (isName(business)) expect(core(lines.at(-1))).toBe(business);
        expect(lines[2]?.toLowerCase()).toContain(
          isName(invoice) && /\p{N}/u.test(invoice ?? '')
            ? (invoice ?? '').toLowerCase()
            : 'our invoice for 1,250.00',
        );
      }),
    );
  });

  it('is otherwise the same as with ordinary names', () => {
    const marked = { clientName: 'Client', businessName: 'Business', invoiceNumber: null };
    fc.assert(
      fc.property(names, (given) => {
        const middle = (body: string) => body.split('\n\n').slice(1, -1).join('\n\n');
        expect(middle(letter({}, { ...given, invoiceNumber: null }).body)).toBe(
          middle(letter({}, { ...marked, tone: given.tone }).body),
        );
      }),
    );
  });
});

// What no reminder may contain: threats, false official language, and things that the sender never told us.
const FORBIDDEN =
  /\b(police|prison|criminal|prosecut\w*|court|lawyer|attorney|solicitor|sue|legal action|proceedings|credit (?:file|score|bureau|agency)|employer|neighbou?rs|family|public(?:ly|ity)|letter before|penalty|penalties|previous reminders?|earlier reminders?|we have reminded|click|link|bank account|https?)\b/i;

describe('a letter for any overdue invoice', () => {
  it('keeps its tone, its length and its promises', () => {
    fc.assert(
      fc.property(lateFeeInputs, fc.constantFrom(...TONES), (terms, tone) => {
        const fee = lateFee(terms);
        fc.pre(fee.ok && fee.value.status !== 'not_overdue');
        const { today, paidDate } = terms;
        const written = reminder(valued(fee), reminderRequest({ tone }));
        if (paidDate > today + 1) {
          expect(faultCodes(written)).toContain('/paid_date date_in_future');
          return;
        }
        // On the last day to pay, the total may no longer be an exact number.
        fc.pre(written.ok);
        const { subject, body, payBy, ifPaidBy, warnings, feeCaveats, caveats } = written.value;
        const sendDay = Math.max(paidDate, today);
        const text = `${subject}\n${body}`;
        expect(text).not.toMatch(FORBIDDEN);
        expect(text).not.toMatch(/[[\]{}!<>*_#]|undefined|null|NaN|-0|\b1 days\b|\d days? days|[A-Z]{5,}/);
        expect(text).not.toMatch(/ {2}|\n{3}|\.\.|,,| \.| ,/);
        const words = body.split(/\s+/).length;
        expect(words).toBeGreaterThanOrEqual(60);
        expect(words).toBeLessThanOrEqual(paidDate < today ? 230 : 220);
        expect(subject.length).toBeLessThanOrEqual(78);
        expect(payBy >= sendDay && payBy <= sendDay + 9).toBe(true);
        const weekday = new Date(payBy * 86_400_000).getUTCDay();
        if (payBy > sendDay) expect([1, 2, 3, 4, 5]).toContain(weekday);
        expect(body).toContain(localDay(payBy, terms.currency));
        if (paidDate < today) {
          expect(text).not.toMatch(/\b(?:now|ago|yet)\b/);
          expect(body).toContain(localDay(paidDate, terms.currency));
        }
        const notes = [...warnings, ...feeCaveats, ...caveats];
        expect(notes.length).toBeLessThanOrEqual(5);
        expect(new Set(notes).size).toBe(notes.length);
        expect(ifPaidBy.length).toBeLessThanOrEqual(3);
        for (const row of ifPaidBy) {
          expect(row.date >= sendDay).toBe(true);
          expect(row.totalDue).toBe(valued(fee).amount + row.fee);
          expect(row.fee >= valued(fee).fee).toBe(true);
        }
      }),
    );
  });

  it('differs in every tone', () => {
    fc.assert(
      fc.property(lateFeeInputs, (terms) => {
        fc.pre(lateFee(terms).ok && remind({ ...terms, today: terms.paidDate }).ok);
        const sentences = TONES.map((tone) => {
          const nobody = { clientName: null, businessName: null, invoiceNumber: null };
          return letter({ ...terms, today: terms.paidDate }, { tone, ...nobody })
            .body.split(/\n|(?<=[.?]) /)
            .filter((each) => /[.?]$/.test(each));
        });
        const shared = (one: number, other: number) =>
          (sentences[one] ?? []).filter(
            // The sentences about a missing fee, and about a future fee or interest, are the same in all tones.
            (each) => sentences[other]?.includes(each) && !/\b(?:late fee|interest)\b/.test(each),
          );
        for (const [one, other] of [
          [0, 1],
          [0, 2],
          [1, 2],
        ] as const)
          expect(shared(one, other)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('has the same bytes for the same request', () => {
    fc.assert(
      fc.property(names, (given) => {
        expect(letter({}, given)).toEqual(letter({}, given));
      }),
    );
  });
});

describe('a cover note', () => {
  it('with a hostile name has one line for the name, prints it literally, and is short', () => {
    fc.assert(
      fc.property(hostileNames, (businessName) => {
        const { subject, body } = valued(quotePack(packRequest({ businessName }))).coverNote;
        expect(subject.length).toBeLessThanOrEqual(78);
        expect(subject).not.toMatch(UNSAFE);
        const clean = cleanLine(businessName);
        expect(body.endsWith(clean === '' ? '\n\nKind regards' : `\n\nKind regards,\n${clean}`)).toBe(true);
        expect(codePoints(body)).toBeLessThanOrEqual(1000);
      }),
    );
  });

  it('has 60 to 110 words, and terms with the figures of the pack', () => {
    fc.assert(
      fc.property(packInputs(-1000n), (request) => {
        const result = quotePack(request);
        fc.pre(result.ok);
        const { coverNote, terms, warnings, caveats } = result.value;
        const words = coverNote.body.split(/\s+/).length;
        expect(words).toBeGreaterThanOrEqual(60);
        expect(words).toBeLessThanOrEqual(110);
        const isDiscounted = request.discountPercent > 0n && result.value.tiers[2].quote.total > 0n;
        expect(terms).toHaveLength(isDiscounted ? 10 : 9);
        expect(warnings.length + caveats.length).toBeLessThanOrEqual(5);
        for (const text of [...terms.map((term) => term.text), ...warnings, ...caveats]) {
          expect(text.length).toBeLessThanOrEqual(300);
          expect(text).not.toMatch(/[[\]{}!<>*_#]|undefined|null|NaN|-0| {2}|\.\./);
        }
      }),
    );
  });
});
