import { people } from './directory-labels.ts';
import { type BusinessProfile, isForStaff, seatsFor } from './stack-report-shelf.ts';
import type { Need, ShelfTool } from './stack-report-types.ts';

/** Above this team size, a single account for a need is not enough. */
const MOST_FOR_ONE_ACCOUNT = 10;

/** Whether the seats are enough for this business, as the vendor says; null when there is nothing to say. */
export function seatsText({ seats, notes }: ShelfTool, need: Need, profile: BusinessProfile): string | null {
  const { teamSize } = profile;
  const wanted = seatsFor(need, profile);
  if (seats === null || teamSize === 1) return null;
  if (notes.own_accounts && (wanted > 1 || Number(teamSize) > Number(seats)))
    return 'Each person opens an account of their own.';
  if (seats === 'unlimited') return wanted > 1 ? 'No limit of people.' : null;
  if (teamSize === null) return isForStaff(need, profile) ? `Free for up to ${people(seats)}.` : null;
  if (seats < teamSize)
    return teamSize <= MOST_FOR_ONE_ACCOUNT
      ? `Free for ${people(seats)}; here one account is enough.`
      : `Free for ${people(seats)}: for those who look after it, not for all ${teamSize} of you.`;
  return `Free for up to ${people(seats)}; you are ${teamSize}.`;
}

/** Whether everybody needs an account and the vendor does not say how many are free. */
export const areSeatsUnknown = ({ seats }: ShelfTool, need: Need, profile: BusinessProfile): boolean =>
  seats === null && profile.teamSize !== 1 && isForStaff(need, profile);

/**
 * Business types that keep documents of clients: from two people on, and a consultant alone, they are warned
 * about private accounts.
 */
const KEEPS_CLIENT_DATA: ReadonlySet<string> = new Set(['agency', 'consultant', 'nonprofit']);

/** The risk of keeping a firm's files in private accounts of its staff. */
export function privateAccounts({ tool, notes }: ShelfTool, need: Need, profile: BusinessProfile): string[] {
  const most = KEEPS_CLIENT_DATA.has(profile.businessType) ? 1 : MOST_FOR_ONE_ACCOUNT;
  const isPrivate =
    isForStaff(need, profile) && notes.own_accounts && tool.categories.includes('file_storage');
  if (!isPrivate) return [];
  if (Number(profile.teamSize) > most)
    return ['Who leaves takes a private account along; client data wants a paid Workspace.'];
  return profile.businessType === 'consultant'
    ? ['No contract covers client data in a private account; a paid Google Workspace has one.']
    : [];
}
