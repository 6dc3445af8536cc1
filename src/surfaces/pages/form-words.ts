/** "due_date" as people write it: "Due date". */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names of the wire in a sentence, such as rate_type, as words. */
export const inWords = (sentence: string): string =>
  sentence.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '));

/** What a value of a choice stands for, where its own words leave a reader in doubt. */
export const CHOICE_WORDS: Readonly<Record<string, string>> = {
  service: 'Service: you go to clients or they come to you (cleaning, hair, care, lessons)',
  trades: 'Trades: you quote, build and repair (plumbing, painting, gardens)',
  retail: 'Shop: you sell over a counter (florist, café, bakery)',
  online_store: 'Online store: you send goods to buyers',
  creator: 'Creator: you publish, and fans or readers pay',
  consultant: 'Consultant: you sell your advice by the hour or the project',
  agency: 'Agency: a team works for clients (design, marketing, software)',
  nonprofit: 'Nonprofit: a charity, a club or a church',
};
