import { paperIn } from '../surfaces/pages/documents/letterhead.ts';
import { beginAnew, type Desk } from './draft.ts';
import { elementOf, paragraph, quietButton } from './element.ts';

/**
 * Says what came along for the document, which is bought with what the form shows, and gives a way to leave it out, by a
 * button or by the function that is returned.
 */
export function sayWhatCame(form: HTMLFormElement, desk: Desk): () => void {
  const { business: _, ...came } = paperIn(desk.paper).letterhead;
  const texts = Object.values(came).filter((text) => text.trim() !== '');
  const said = elementOf('div', 'note');
  const leaveOut = (): void => {
    desk.paper = '';
    said.remove();
  };
  if (texts.length === 0) return leaveOut;
  const all = elementOf('bdi', '', texts.map((text) => text.trim().replace(/\s*\n\s*/g, ', ')).join('; '));
  const out = quietButton('Leave that out', () => {
    leaveOut();
    form.dispatchEvent(new Event('input', { bubbles: true }));
    form.querySelector<HTMLElement>('p.buttons button')?.focus();
  });
  said.append(paragraph('Its document will have what came along: ', all, '. You can change it there.'), out);
  place(form, said);
  return leaveOut;
}

/**
 * Says that what was written before joined what came along: with other figures it may be for another client. Returns what
 * takes that back.
 */
export function sayJoined(form: HTMLFormElement, empty: () => void): () => void {
  const words = 'The other fields hold what you wrote here before, for the same client.';
  const said = elementOf('div', 'note', paragraph(words));
  said.append(
    quietButton('It is for another: empty them', () => {
      said.remove();
      beginAnew();
      empty();
    }),
  );
  place(form, said);
  return () => said.remove();
}

const place = (form: HTMLFormElement, said: HTMLElement): void =>
  form.querySelector('p.buttons:last-of-type')?.before(said);
