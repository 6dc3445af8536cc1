// Licences that ask for no more than to be named.
const ALLOWED = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']);

export const isAllowed = (licence: string | undefined): boolean =>
  (licence ?? '').split(' OR ').some((choice) => ALLOWED.has(choice));
