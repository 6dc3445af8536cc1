/** "due_date" as people write it: "Due date". */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names of the wire in a sentence, such as rate_type, as words. */
export const inWords = (sentence: string): string =>
  sentence.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '));
