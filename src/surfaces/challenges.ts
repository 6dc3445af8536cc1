import type { Operation } from '../catalog/operation.ts';
import { type Challenge, challengeOf, roomForExtensions } from '../payments/x402/challenge.ts';
import { type Requirements, requirementsOf } from '../payments/x402/requirements.ts';
import { fittedBazaar, fullBazaar } from './bazaar.ts';
import { SITE_NAME, SITE_TAGS, type Site } from './site.ts';

/** The challenge of a paid operation; throws for a free one. */
export type ChallengeOf = (operation: Operation) => Challenge;

type RouteParts = Pick<Site, 'answerOf' | 'baseUrl' | 'terms'>;

/** The challenge of every paid operation as sent over HTTP. */
export const routeChallenges = (
  operations: readonly Operation[],
  { answerOf, terms, baseUrl }: RouteParts,
): ChallengeOf =>
  madeOnce(operations, (operation) => {
    const resource = {
      // Without the query, which could reveal the caller's names and amounts to third parties.
      url: `${baseUrl}${operation.route?.path ?? '/mcp'}`,
      description: operation.summary,
      mimeType: 'application/json',
      serviceName: SITE_NAME,
      tags: SITE_TAGS,
      iconUrl: `${baseUrl}/favicon.svg`,
    };
    const requirements = requirementsOf(operation, terms);
    const answer = answerOf(operation);
    const roomBytes = roomForExtensions(requirements, resource);
    const schemaUrl = `${baseUrl}/openapi.json#${pointerTo(operation)}`;
    return challengeOf(operation, requirements, resource, {
      extensions: fullBazaar(operation, answer),
      inHeader: fittedBazaar(operation, answer, { roomBytes, schemaUrl }),
    });
  });

/** Where the OpenAPI document describes an operation, as a JSON pointer. */
const pointerTo = ({ route }: Operation): string =>
  route === null ? '' : `/paths/${route.path.replaceAll('/', '~1')}/${route.method.toLowerCase()}`;

/**
 * The challenges of tools: the x402 MCP transport names a resource after its tool. A model already has the schema of
 * the tool, so no extension repeats it.
 */
export const toolChallenges = (operations: readonly Operation[], ofRoute: ChallengeOf): ChallengeOf =>
  madeOnce(
    operations.filter(({ tool }) => tool),
    (operation) => {
      const { requirements, resource: route } = ofRoute(operation);
      const resource = { ...route, url: `mcp://tool/${operation.name}` };
      return challengeOf(operation, requirements, resource, {});
    },
  );

/** Each challenge is made at its first use, which is directly after the port is open. */
function madeOnce(operations: readonly Operation[], make: ChallengeOf): ChallengeOf {
  const paid = new Set(operations.flatMap(({ name, price }) => (price === null ? [] : [name])));
  const made = new Map<string, Challenge>();
  return (operation) => {
    const { name } = operation;
    if (!paid.has(name)) throw new Error(`Operation ${name} is free`);
    const challenge = made.get(name) ?? make(operation);
    made.set(name, challenge);
    return challenge;
  };
}

/** The types that a buyer signs (EIP-712). */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/**
 * The typed data of a payment and the payload around it, for a buyer who has only a challenge. Angle brackets mark what
 * the buyer fills in.
 */
export const signingGuide = ({ asset, payTo, amount, network, extra, maxTimeoutSeconds }: Requirements) => ({
  sign: {
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: Number(network.split(':')[1]),
      verifyingContract: asset,
    },
    types: TRANSFER_TYPES,
    message: {
      from: '<your address>',
      to: payTo,
      value: amount,
      validAfter: '0',
      validBefore: `<Unix time now + ${maxTimeoutSeconds}, as text>`,
      nonce: '<0x and 32 random bytes in hex>',
    },
  },
  payment_payload: {
    x402Version: 2,
    accepted: '<accepts[0]>',
    payload: { signature: '<EIP-712 signature of sign>', authorization: '<sign.message>' },
  },
});
