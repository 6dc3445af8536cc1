import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { answerOf, faultsOf, headerJson, type Json, payingApp, problemOf } from './wire.ts';

const app = payingApp();
const CASE = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';
const notice = async (query: string): Promise<Json> => answerOf(await app.buyNotice(`${CASE}&${query}`));
const text = encodeURIComponent;

/** Returns the faults, which must be the same for callers with and without a payment. */
async function faults(query: string): Promise<string[]> {
  const told = await faultsOf(await app.get(`/v1/late-fee-notice?${query}`));
  expect(await faultsOf(await app.buyNotice(query))).toEqual(told);
  return told;
}

describe('GET /v1/late-fee-notice', () => {
  it(
    proves(
      ['4-late-fee-notice', '2.5-notice', '2.5-content-type', '8-prices', '3-settled'],
      'sells the fee and a reminder with a subject and a body for one cent',
    ),
    async () => {
      const unpaid = await app.get(`/v1/late-fee-notice?${CASE}`);
      expect(await problemOf(unpaid)).toMatchObject({ status: 402, price_usd: '0.01' });
      expect(headerJson(unpaid, 'payment-required').accepts[0].amount).toBe('10000');

      const paid = await app.buyNotice(CASE);
      expect(paid.headers.get('content-type')).toBe('application/json');
      expect(headerJson(paid, 'payment-response')).toMatchObject({ success: true, amount: '10000' });
      const { fee, reminder } = await answerOf(paid);
      expect(fee).toMatchObject({ late_fee: 10.63, total_due: 1260.63, days_late: 17 });
      expect(reminder).toMatchObject({ tone: 'polite', content_type: 'text/plain' });
      expect(reminder.subject).toMatch(/^[^\r\n]{10,78}$/);
      expect(reminder.body).toContain('1260.63'.replace('1260', '1,260'));
      expect(reminder.if_paid_by.map(({ late_fee: later }: Json) => later)).toEqual([15, 19.38, 29.38]);
    },
  );

  it(proves('2.1-tone', 'writes in three tones, and in no other'), async () => {
    const letters = await Promise.all(['polite', 'firm', 'final'].map((tone) => notice(`tone=${tone}`)));
    expect(new Set(letters.map(({ reminder }) => reminder.body)).size).toBe(3);
    expect(letters.map(({ reminder }) => reminder.tone)).toEqual(['polite', 'firm', 'final']);
    for (const tone of ['angry', 'Polite', 'polite,firm', '0'])
      expect(await faults(`${CASE}&tone=${tone}`)).toEqual(['/tone invalid_choice']);
  });

  it(
    proves('2.1-names', 'uses the names that are given, and closes the gap where a name is missing'),
    async () => {
      const { reminder } = await notice(
        'client_name=Acme+Ltd&business_name=Green+Gardens&invoice_number=INV-1042',
      );
      for (const name of ['Acme Ltd', 'Green Gardens', 'INV-1042']) expect(reminder.body).toContain(name);
      const { reminder: bare } = await notice('client_name=&business_name=%20&invoice_number');
      expect(`${bare.subject}${bare.body}`).not.toMatch(/undefined|null|\{|\}|\[|\]| {2}|Dear ,|: ,/);
    },
  );
});

it('a letter at the default rate says so before its other caveats', async () => {
  const first = async (query: string) => (await notice(query)).caveats[0];
  expect(await first('')).toMatch(/\brate\b.*\b1\.5%/);
  expect(await first('rate=1.5')).not.toContain('1.5%');
});

describe('a name in a letter', () => {
  it('is a single line and cannot add a header', async () => {
    const { reminder } = await notice(`client_name=${text('A\r\nBcc: x@y.z')}`);
    expect(reminder.body).toContain('A Bcc: x@y.z');
    expect(reminder.subject).not.toMatch(/[\r\n]/);
    expect(reminder.body).not.toMatch(/^Bcc:/m);
  });

  it('is never interpreted as markup or a template', async () => {
    const name = `$& $1 {{x}} \${x} %s <b>&amp;`;
    const { reminder } = await notice(`client_name=${text(name)}&invoice_number=${text('$&{{7}}')}`);
    expect(reminder.body).toContain(name);
    expect(`${reminder.subject}${reminder.body}`).toContain('$&{{7}}');
  });

  it('loses its invisible characters', async () => {
    const hidden = `A\u202eb\u200bc\u{e0041}\u{e0042}\u0007d\u2028e`;
    const { reminder } = await notice(`client_name=${text(hidden)}`);
    expect(reminder.body).toContain('Hello Abc d e,');
    expect(reminder.body).not.toMatch(/[\u202e\u200b\u2028]|[\u{e0000}-\u{e007f}]/u);
  });

  it('is measured in characters and never truncated: a name that is too long is refused before a price is stated', async () => {
    expect(await faults(`${CASE}&client_name=${'x'.repeat(121)}`)).toEqual(['/client_name too_long']);
    expect(await faults(`${CASE}&invoice_number=${'9'.repeat(61)}`)).toEqual(['/invoice_number too_long']);
    const { reminder } = await notice(`client_name=${text('👍'.repeat(120))}`);
    expect(reminder.body).toContain('👍'.repeat(120));
  });
});

describe('an invoice that is not overdue', () => {
  it('gets no reminder', async () => {
    const early = 'amount=1250&due_date=2026-01-10&paid_date=2026-01-05';
    expect(await faults(early)).toEqual(['/due_date invoice_not_overdue']);
    expect(await faults('amount=1250&due_date=2026-11-21')).toEqual(['/due_date invoice_not_overdue']);
    expect(await faults(`${early}&tone=x&amount=`)).toEqual([
      '/amount repeated_parameter',
      '/tone invalid_choice',
      '/due_date invoice_not_overdue',
    ]);
  });

  it('gets a reminder without a fee during the days of grace', async () => {
    const query = 'amount=1250&grace_days=5&due_date=2026-01-01&paid_date=2026-01-06';
    const { fee } = await answerOf(await app.buyNotice(query));
    expect(fee).toMatchObject({ status: 'within_grace', late_fee: 0, total_due: 1250 });
  });
});

describe('inputs other than the figures', () => {
  it('appear in the letter: how to pay, the deadline, and limits of the fee', async () => {
    const details = text('IBAN GB33 BUKB\nBIC BUKBGB22');
    const { fee, reminder } = await notice(
      `payment_details=${details}&pay_within_days=14&min_fee=25&currency=GBP&invoice_number=INV-1`,
    );
    expect(fee).toMatchObject({ late_fee: 25, min_fee: 25, max_fee: null, fee_limit: 'min_fee' });
    expect(reminder.pay_by).toBe('2026-12-07');
    expect(reminder.body).toContain('\n\nPayment details:\nIBAN GB33 BUKB\nBIC BUKBGB22\n\n');
  });

  it('appear next to the letter: statutory interest, never added to the fee', async () => {
    const { fee, reminder } = await notice('jurisdiction=gb&currency=GBP');
    expect(fee.total_due).toBe(1260.63);
    expect(fee.statutory).toMatchObject({
      jurisdiction: 'GB',
      interest: 6.84,
      compensation: 70,
      total_due: 1326.84,
    });
    expect(reminder.body).not.toContain('1,326.84');
  });
});

describe('a day in the future', () => {
  it('gets no letter', async () => {
    expect(await faults('amount=1250&due_date=2026-11-04&paid_date=2027-06-30')).toEqual([
      '/paid_date date_in_future',
    ]);
  });
});
