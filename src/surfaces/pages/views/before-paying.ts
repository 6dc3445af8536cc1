/*
 * What an owner should know of an answer before paying for it. These are no faults: the answer is as good as what was
 * asked for.
 */

/** The value of a field of the request, or of the letterhead that came along, such as `paper.business`; null for none. */
export type Asked = (name: string) => string | null;

/** A letter that nobody signs; its name can still be written onto the document, which is free. */
export const letterBefore = (asked: Asked): readonly string[] =>
  (asked('business_name') || asked('paper.business') || '').trim() === ''
    ? [
        'The letter will name no business, so nobody signs it: write yours in the form before you pay, or onto the letter afterwards.',
      ]
    : [];

/** What is free: a report has the same tools with the tick and without it where none has another cost. */
export const reportBefore = (asked: Asked): readonly string[] =>
  asked('free_only') === 'true'
    ? [
        'You asked for tools without a subscription. Where a tool takes money for you, a share of each sale may still be taken, and the report names what larger plans cost, too.',
      ]
    : [];
