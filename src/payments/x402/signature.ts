import { keccak_256 } from '@noble/hashes/sha3';
import { recover } from 'tiny-secp256k1';
import type { Authorization, Hex, Payment } from './payment.ts';
import type { Terms } from './requirements.ts';

/** The EIP-712 digest of EIP-3009 that a payer signs for our terms, and whether the payer did. */
export type Signing = {
  digest(authorization: Authorization): Uint8Array;
  /**
   * The payment in the form that USDC accepts if the payer's key signed exactly these fields; null if it did not, in
   * which case an account with code may still accept the signature. A recovery id of 0 or 1, as some hardware wallets
   * write it, becomes 27 or 28.
   */
  ofKey(payment: Payment): Promise<Payment | null>;
};

const SIGNATURE_CHARACTERS = 2 + 65 * 2;
// If `s` is higher than this, a lower value of `s` is also valid, and USDC accepts only the lower one.
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The hash in hex of text, or of words in hex. Decoding all words at once is fastest. */
const hashOf = (text: string, encoding: 'utf8' | 'hex'): string =>
  Buffer.from(keccak_256(Buffer.from(text, encoding))).toString('hex');
const word = (hex: string): string => hex.padStart(64, '0');
const ofAddress = (address: Hex): string => word(address.slice(2).toLowerCase());
const ofNumber = (value: bigint): string => word(value.toString(16));

const DOMAIN_TYPE = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
  'utf8',
);
const TRANSFER_TYPE = hashOf(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  'utf8',
);
const TYPED_DATA = '1901';

/** The EIP-712 domain separator of the asset of these terms, in hex without 0x. */
export function domainSeparator({
  assetName,
  assetVersion,
  chainId,
  asset,
}: Pick<Terms, 'chainId' | 'asset' | 'assetName' | 'assetVersion'>): string {
  const [name, version] = [hashOf(assetName, 'utf8'), hashOf(assetVersion, 'utf8')];
  return hashOf(DOMAIN_TYPE + name + version + ofNumber(BigInt(chainId)) + ofAddress(asset), 'hex');
}

/** The signing domain of some terms. */
export function signingOf(terms: Terms): Signing {
  const domain = domainSeparator(terms);
  const digest = ({ from, to, value, validAfter, validBefore, nonce }: Authorization): Uint8Array => {
    const numbers = ofNumber(value) + ofNumber(validAfter) + ofNumber(validBefore);
    const fields = TRANSFER_TYPE + ofAddress(from) + ofAddress(to) + numbers + word(nonce.slice(2));
    return keccak_256(Buffer.from(TYPED_DATA + domain + hashOf(fields, 'hex'), 'hex'));
  };
  return {
    digest,
    async ofKey(payment) {
      const { signature, authorization } = payment;
      const split = splitOf(signature);
      if (split === null) return null;
      if (signer(digest(authorization), split) !== authorization.from) return null;
      const recoveryByte = (27 + split.recoveryId).toString(16);
      return { ...payment, signature: `${signature.slice(0, -2)}${recoveryByte}` as Hex };
    },
  };
}

type Split = { readonly compact: Uint8Array; readonly recoveryId: 0 | 1 };

/** The parts of a key's signature; null for a signature that USDC does not accept from any key. */
function splitOf(signature: Hex): Split | null {
  if (signature.length !== SIGNATURE_CHARACTERS) return null;
  const recoveryByte = Number.parseInt(signature.slice(-2), 16);
  const recoveryId = recoveryByte >= 27 ? recoveryByte - 27 : recoveryByte;
  if (recoveryId !== 0 && recoveryId !== 1) return null;
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return null;
  return { compact: Buffer.from(signature.slice(2, 130), 'hex'), recoveryId };
}

/** The address whose key made a signature, in lower case; null when no key did. */
function signer(digest: Uint8Array, { compact, recoveryId }: Split): Hex | null {
  try {
    const point = recover(digest, compact, recoveryId, false);
    if (point === null) return null;
    const address = keccak_256(point.subarray(1)).subarray(-20);
    return `0x${Buffer.from(address).toString('hex')}`;
  } catch {
    // r or s is zero or above the order of the curve, or no point has this r.
    return null;
  }
}
