/* Notes for an owner to read before paying for an answer. They are not faults: the request is valid as it is. */

/**
 * The value of a field of the request, or of the letterhead sent with it, such as `paper.business`; null if it is not
 * set.
 */
export type Asked = (name: string) => string | null;

/** A note about an unsigned letter; the owner can still add a name to the document for free. */
export const letterBefore = (asked: Asked): readonly string[] =>
  (asked('business_name') || asked('paper.business') || '').trim() === ''
    ? ['The letter has no name of a business yet. You can also add it after you pay.']
    : [];

/** A note on what is free: the checkbox has no effect on a report if no tool has another cost. */
export const reportBefore = (asked: Asked): readonly string[] =>
  asked('free_only') === 'true'
    ? ['A tool that takes payments for you may still keep a share of each sale.']
    : [];
