import { orNull } from './or-null.ts';

/*
 * The search opens the directory with its words after the #, so they are not sent. The page also links to earlier
 * purchases.
 */

const form = document.querySelector<HTMLFormElement>('#find');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const words = new FormData(form).get('words');
  location.assign(`${form.action}#${new URLSearchParams({ words: String(words ?? '') })}`);
});

const keys = orNull(() => Object.keys(localStorage)) ?? [];
const line = document.querySelector<HTMLElement>('#kept');
if (line !== null && keys.some((key) => /^paid\.(?:payment|answer)\./.test(key))) {
  const link = document.createElement('a');
  link.href = '/on-this-device';
  link.textContent = 'Show them';
  line.append('Your purchases are stored on this device. ', link);
  line.hidden = false;
}
