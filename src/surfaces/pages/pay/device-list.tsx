import type { Child } from '../markup.ts';
import { answerLine, type BoughtAnswer, Deleting } from './bought.tsx';

/** The shop data that the list needs. */
export type DeviceShop = {
  /** Prices in dollars by operation. */
  readonly prices: Readonly<Record<string, string>>;
  readonly network: string;
  readonly isPlayMoney: boolean;
};

/** A document that is not bought. */
export type DeviceDraft = {
  readonly title: string;
  readonly about: string;
  readonly path: string;
  /** Removes the document from the device; omitted for the document of a form, which has its own button. */
  readonly remove?: () => void;
};

type DevicePurchase = {
  /** "Letter", "Three options", "Plan" */
  readonly what: string;
  readonly answer: BoughtAnswer;
  readonly open: () => void;
};

type DeviceProps = {
  readonly drafts: readonly DeviceDraft[];
  readonly purchases: readonly DevicePurchase[];
  /** The purchase that is shown in full. */
  readonly open: Child;
  readonly isDeleting: boolean;
  readonly isEmpty: boolean;
  /** The user's actions; null until the script runs. */
  readonly acts: { readonly askToDelete: (isAsked: boolean) => void; readonly removeAll: () => void } | null;
};

/** Quotes, letters and purchases in one list. */
export const DeviceList = ({ drafts, purchases, open, isDeleting, isEmpty, acts }: DeviceProps) => (
  <>
    <p class="lead toolbar">
      Your quotes, letters and purchases are stored in this browser and nowhere else. We store nothing that
      you write.
    </p>
    {isEmpty ? (
      <p class="note">
        Nothing is stored on this device yet. <a href="/quote">Start a quote</a> or calculate{' '}
        <a href="/late-invoice">the fee of a late invoice</a>.
      </p>
    ) : null}
    {drafts.length + purchases.length === 0 ? null : (
      <ul class="device-list toolbar">
        {drafts.map(({ title, about, path, remove }) => (
          <li key={path}>
            <a href={path}>{title}</a> <span>{about}</span>
            {remove === undefined ? null : (
              <button type="button" class="link" aria-label={`Remove ${title}, ${about}`} onClick={remove}>
                Remove
              </button>
            )}
          </li>
        ))}
        {purchases.map(({ what, answer, open: show }) => (
          <li key={answer.name}>
            <button type="button" class="link" onClick={show}>
              {what}
            </button>{' '}
            <span>{answerLine(answer)}</span>
          </li>
        ))}
      </ul>
    )}
    <div id="result">{open}</div>
    {acts === null || isEmpty ? null : (
      <Deleting
        isDeleting={isDeleting}
        question="Delete everything, including your business details? You cannot get back the documents that you bought. Unfinished payments are kept."
        label="Delete everything on this device"
        yes="Delete everything"
        ask={acts.askToDelete}
        remove={acts.removeAll}
      />
    )}
  </>
);
