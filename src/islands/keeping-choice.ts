import { KEEP_PURCHASE } from '../surfaces/pages/form-texts.ts';
import { forgetDrafts } from './draft.ts';
import { checkbox, elementOf, paragraph } from './element.ts';
import { canKeep, isKeeping, setKeeping } from './storage.ts';
import { KEPT_DAYS } from './stored-purchases.ts';

/** What is kept on the device when this is bought, with one tap to keep nothing. */
export function keepingChoice(): HTMLElement {
  if (!canKeep())
    return paragraph(
      'Your browser keeps nothing for this site: please leave this page open until you have copied or printed the answer.',
    );
  const { box, label, hint } = checkbox('keep', KEEP_PURCHASE);
  box.checked = isKeeping();
  const explain = (): void => {
    hint.textContent = box.checked ? KEEPS : KEEPS_NOT;
  };
  explain();
  box.addEventListener('change', () => {
    setKeeping(box.checked);
    if (!box.checked) forgetDrafts();
    explain();
  });
  return elementOf('div', 'keeping', box, label, hint);
}

const KEEPS = `Your browser keeps what you wrote and the signed payment until the answer is there, the answer and what you write onto its document for ${KEPT_DAYS} days or until you delete it, and for a day a digest, so that you do not pay for the same twice by mistake. It stays on this device, and we store nothing that you write. Take this off where others use the device.`;
const KEEPS_NOT =
  'Nothing of this purchase is kept: please leave this page open until you have copied or printed the answer. Closed or loaded again, it is gone, and a payment that is under way then cannot be followed. A calculator that you came from keeps what you wrote there in its own address, in the history of this browser.';
