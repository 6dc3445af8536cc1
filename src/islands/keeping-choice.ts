import { canKeep, isKeeping, setKeeping } from './device.ts';
import { KEPT_DAYS } from './kept.ts';
import { paragraph } from './panel.ts';

/** What is kept on the device when this is bought, with one tap to keep nothing. */
export function keepingChoice(): HTMLElement {
  if (!canKeep())
    return paragraph(
      'Your browser keeps nothing for this site: please leave this page open until you have copied or printed the answer.',
    );
  const choice = document.createElement('div');
  choice.className = 'keeping';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.id = 'keep';
  box.checked = isKeeping();
  box.setAttribute('aria-describedby', 'keep-hint');
  const label = document.createElement('label');
  label.htmlFor = box.id;
  label.textContent = 'Keep this purchase on this device';
  const hint = paragraph();
  hint.id = 'keep-hint';
  hint.className = 'hint';
  const tell = (): void => {
    hint.textContent = box.checked ? KEEPS : KEEPS_NOT;
  };
  tell();
  box.addEventListener('change', () => {
    setKeeping(box.checked);
    tell();
  });
  choice.append(box, label, hint);
  return choice;
}

const KEEPS = `Your browser keeps what you wrote and the signed payment until the answer is there, the answer for ${KEPT_DAYS} days or until you delete it, and for a day a digest, so that you do not pay for the same twice by mistake. It stays on this device, and we store nothing that you write. Take this off where others use the device.`;
const KEEPS_NOT =
  'Nothing of this purchase is kept: please leave this page open until you have copied or printed the answer. Closed or loaded again, it is gone, and a payment that is under way then cannot be followed.';
