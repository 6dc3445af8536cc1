import { describe, expect, it } from 'vitest';
import { letter, written } from '../../test/domain/letter-samples.ts';
import { day } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';

describe('a missing name leaves no gap', () => {
  const nobody = { clientName: null, businessName: null, invoiceNumber: null };

  it('in a letter without any names', () => {
    const [subject = '', greeting, opening, ...rest] = written({}, nobody).split('\n\n');
    expect(factsIn(subject)).toEqual(['4 November 2026']);
    expect(greeting).toMatch(/^\w+,$/);
    expect(opening).toMatch(inOrder('our invoice', '1,250.00', '4 November 2026', '17'));
    expect(rest.at(-1)).toMatch(/^[\w ]+,$/);
    expect(rest.join()).not.toMatch(/reference|null|undefined/);
  });

  it.each([
    ['polite', ['Bright Studio', '4 November 2026']],
    ['firm', ['17', 'Bright Studio', '4 November 2026']],
    ['final', ['Bright Studio', '4 November 2026']],
  ] as const)('%s without an invoice number is named by its due date', (tone, parts) => {
    expect(letter({}, { tone, invoiceNumber: null }).subject).toMatch(inOrder(...parts));
  });

  it('blank and invisible names are missing names', () => {
    for (const blank of ['', '  ', '\n\t', '\u200B\u202E'])
      expect(written({}, { clientName: blank, businessName: blank, invoiceNumber: blank })).toBe(
        written({}, nobody),
      );
  });
});

describe('the subject keeps the sender and drops a long number', () => {
  const number = `N-${'1'.repeat(58)}`;
  it.each([
    ['polite', ['Bright Studio', '4 November 2026']],
    ['firm', ['17', 'Bright Studio', '4 November 2026']],
    ['final', ['17', 'Bright Studio']],
  ] as const)('%s with an invoice number of 60 characters', (tone, facts) => {
    const { subject } = letter({}, { tone, invoiceNumber: number });
    expect(subject).toMatch(inOrder(...facts));
    expect(subject).not.toContain(number);
  });

  it("cuts a sender's name that does not fit, and never drops it", () => {
    const businessName = 'B'.repeat(120);
    const { subject, body } = letter({}, { businessName });
    expect(subject).toMatch(/^Invoice from B{50,}…$/);
    expect(body.endsWith(`,\n${businessName}`)).toBe(true);
    const words = 'Gardens and Landscapes '.repeat(5);
    expect(letter({}, { businessName: words }).subject).toMatch(
      /^Invoice from (?:Gardens and Landscapes )+\w+(?: \w+)?…$/,
    );
  });

  it('keeps a number that fits once the days are dropped', () => {
    const request = {
      tone: 'final',
      invoiceNumber: '7743',
      businessName: 'Summit Electrical Contractors Inc.',
    } as const;
    expect(letter({ dueDate: day('2026-07-15') }, request).subject).toBe(
      'Final reminder: invoice 7743 from Summit Electrical Contractors Inc.',
    );
  });

  it.each([
    ['Mrs Patricia Howe', 'Hello Mrs Howe,'],
    ['Frau Anja Keller', 'Hello Frau Keller,'],
    ['Mr James T. Carter', 'Hello Mr Carter,'],
    ['Mr Clean Services', 'Hello Mr Clean Services,'],
    ['Mr & Mrs Howe', 'Hello Mr & Mrs Howe,'],
    ['Gary Moss t/a Moss Roofing', 'Hello Gary Moss,'],
  ])('greets %s as people do', (clientName, line) => {
    expect(letter({}, { clientName }).body.split('\n')[0]).toBe(line);
  });

  it('with a number that is too wide for any subject', () => {
    const { subject, body } = letter({}, { invoiceNumber: `${'🧾'.repeat(59)}1` });
    expect(subject).toMatch(inOrder('Bright Studio', '4 November 2026'));
    expect(body).toContain(`invoice ${'🧾'.repeat(59)}1 `);
  });
});

describe('a number that already says invoice is not announced a second time', () => {
  it.each([
    ['Invoice 12', 'invoice 12', 'Invoice 12'],
    ['invoice #12', 'invoice #12', 'Invoice #12'],
    ['INVOICE-12', 'INVOICE-12', 'INVOICE-12'],
    ['Inv. 12', 'invoice 12', 'Invoice 12'],
    ['inv 12', 'invoice 12', 'Invoice 12'],
    ['Inv #12', 'invoice #12', 'Invoice #12'],
  ])('%s', (number, named, capital) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toMatch(inOrder(`${capital} `, 'Bright Studio', '4 November 2026'));
    expect(subject.startsWith(capital)).toBe(true);
    expect(body).toMatch(inOrder(` ${named} `, '1,250.00'));
    expect(body).not.toMatch(/invoice inv/i);
    expect(letter({}, { tone: 'final', invoiceNumber: number }).subject).toMatch(
      inOrder('17', ` ${named} `, 'Bright Studio'),
    );
  });

  it.each(['INV-1042', 'INV1042', '12', '#12', 'No. 12', 'R2026/7'])(
    '%s is treated as a number',
    (number) => {
      const { subject, body } = letter({}, { invoiceNumber: number });
      expect(subject).toMatch(inOrder(`Invoice ${number} `, 'Bright Studio', '4 November 2026'));
      expect(body).toContain(` invoice ${number} `);
    },
  );

  it.each(['Invicta 7', 'Invoiced 7', 'PO 4431', 'March 7'])(
    '%s is treated as words, which are set apart',
    (number) => {
      const { subject, body } = letter({}, { invoiceNumber: number });
      expect(subject).toMatch(inOrder(`Invoice (${number}) `, 'Bright Studio', '4 November 2026'));
      expect(body).toContain(` our invoice (${number}) `);
    },
  );
});

it('names are printed literally', () => {
  const { subject, body } = letter(
    {},
    { clientName: '$& $1 {{x}} <b>', businessName: "$'", invoiceNumber: '$`%1' },
  );
  expect(body.split('\n')[0]).toMatch(/^\w+ \$& \$1 \{\{x\}\} <b>,$/);
  expect(body.endsWith(",\n$'")).toBe(true);
  expect(subject).toMatch(inOrder('Invoice $`%1 ', " $' ", '4 November 2026'));
});
