import { orNull } from './or-null.ts';

/* The search leads to the directory with its words behind the #, so that they are not sent; and purchases are found again. */

const form = document.querySelector<HTMLFormElement>('#find');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const words = new FormData(form).get('words');
  location.assign(`${form.action}#${new URLSearchParams({ words: String(words ?? '') })}`);
});

/** Where the documents of each operation are shown again. */
const SHELVES: Readonly<Record<string, readonly [name: string, page: string]>> = {
  late_fee_notice: ['letters', '/late-invoice'],
  quote_pack: ['options', '/quote-pack'],
  small_business_stack_report: ['software plans', '/stack-report'],
};

const keys = orNull(() => Object.keys(localStorage)) ?? [];
const bought = Object.entries(SHELVES).filter(([operation]) =>
  keys.some((key) => key === `paid.payment.${operation}` || key.startsWith(`paid.answer.${operation}.`)),
);
const line = document.querySelector<HTMLElement>('#kept');
if (line !== null && bought.length > 0) {
  line.append('What you bought is on this device:');
  for (const [, [name, page]] of bought) {
    const link = document.createElement('a');
    link.href = page;
    link.textContent = name;
    line.append(' ', link);
  }
  line.hidden = false;
}
