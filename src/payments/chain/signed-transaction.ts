import { keccak_256 } from '@noble/hashes/sha3';
import { loadCurve } from '../x402/curve.ts';
import type { Hex } from '../x402/payment.ts';

/** A call with everything that is signed; fees in wei. */
export type UnsignedTransaction = {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly nonce: number;
  readonly chainId: number;
};

/** The bytes of a transaction (EIP-1559) signed with `key`, and its hash. The same call gives the same bytes. */
export async function signedTransaction(
  key: Uint8Array,
  { to, data, gas, maxFeePerGas, maxPriorityFeePerGas, nonce, chainId }: UnsignedTransaction,
): Promise<{ raw: Hex; hash: Hex }> {
  const curve = await loadCurve();
  const numbers = [BigInt(chainId), BigInt(nonce), maxPriorityFeePerGas, maxFeePerGas, gas].map(ofNumber);
  const call = [item(ofHex(to)), ofNumber(0n), item(ofHex(data))];
  const fields = Buffer.concat([...numbers, ...call, NO_ACCESS_LIST]);
  const { signature, recoveryId } = curve.signRecoverable(keccak_256(envelope(fields)), key);
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const signed = [BigInt(recoveryId), BigInt(asHex(r)), BigInt(asHex(s))].map(ofNumber);
  const bytes = envelope(Buffer.concat([fields, ...signed]));
  return { raw: asHex(bytes), hash: asHex(keccak_256(bytes)) };
}

const TYPE = Uint8Array.of(2);
const STRING = 0x80;
const LIST = 0xc0;
const NO_ACCESS_LIST = Uint8Array.of(LIST);

const asHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const ofHex = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');

/** The type of a transaction, then the list of its fields. */
const envelope = (fields: Buffer): Buffer => Buffer.concat([TYPE, headOf(LIST, fields.length), fields]);

// Our own RLP, because encoding with viem's took as long as the signature.
const item = (bytes: Buffer): Buffer =>
  bytes.length === 1 && (bytes[0] as number) < STRING
    ? bytes
    : Buffer.concat([headOf(STRING, bytes.length), bytes]);

/** The RLP prefix of a string or a list. */
function headOf(kind: number, length: number): Buffer {
  if (length <= 55) return Buffer.of(kind + length);
  const size = bytesOf(BigInt(length));
  return Buffer.concat([Buffer.of(kind + 55 + size.length), size]);
}

const ofNumber = (value: bigint): Buffer => item(bytesOf(value));

/** A number in its shortest form; no bytes for zero. */
function bytesOf(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
