// Licenses that only require attribution.
const ALLOWED = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']);

/** An SPDX identifier, or a choice of several: '(MIT OR Apache-2.0)'. */
export const isAllowed = (licence: string | undefined): boolean =>
  (licence ?? '')
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => ALLOWED.has(choice));
