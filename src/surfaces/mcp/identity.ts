import type { Operation } from '../../catalog/operation.ts';
import { release } from '../../platform/release.ts';

export const SERVER_NAME = 'small-business-calculator';
const SERVER_TITLE = 'Small-Business Calculator';
export const SERVER_VERSION = release.version;

/** The server as clients show it to people: with its title, purpose, address and icon. */
export const serverInfo = (baseUrl: string) => ({
  name: SERVER_NAME,
  version: SERVER_VERSION,
  title: SERVER_TITLE,
  description: 'Quotes, late fees, reminder letters and free software for small businesses.',
  websiteUrl: baseUrl,
  icons: [{ src: `${baseUrl}/favicon.svg`, mimeType: 'image/svg+xml' }],
});

/** The revision without a handshake. */
export const MODERN_VERSION = '2026-07-28';
/** Revisions that begin with `initialize`, newest first: an unknown proposal is answered with the first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
export const PROTOCOL_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

/** Where a call carries its payment. */
export const PAY_IN = 'params._meta["x402/payment"]';

type InstructionParts = {
  readonly operations: readonly Operation[];
  readonly freeRequestsPerMinute: number;
  readonly baseUrl: string;
};

/** What a model should know about all tools, in at most 600 characters. */
export function instructionsFor({ operations, freeRequestsPerMinute, baseUrl }: InstructionParts): string {
  const names = (isPaid: boolean) =>
    operations
      .filter(({ tool, price }) => tool && (price !== null) === isPaid)
      .map(({ name }) => name)
      .join(', ');
  return `Small-business calculators and a checked directory of free software. Free, ${freeRequestsPerMinute} calls a minute from one address: ${names(false)}. Paid in USDC through x402: ${names(true)}; call once without payment to get the price, then repeat the call with the signed payment in _meta["x402/payment"]. If you have no wallet, show your user ${baseUrl}/ or the pay_page in that result. Invalid input is never charged. Amounts are numbers (or numbers as text), and dates are YYYY-MM-DD. Nothing you send is stored.`;
}
