import type { Network } from '../domain/networks.ts';
import { type Address, addressOfKey, checksummed, signerOf } from './address.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';

const zeroAddress = '0x0000000000000000000000000000000000000000';

// Accounts 0 to 10 of the development mnemonic: their keys are public, and what reaches them is swept at once.
export const publicAccounts: readonly string[] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
];

export interface PayeeContext {
  readonly embedded: boolean;
  readonly production: boolean;
  readonly network: Network;
  readonly origin: string;
}

export interface Payee {
  readonly payTo: Address | null;
  readonly relayerKey: Secret | null;
  readonly ownershipProof: `0x${string}` | null;
}

/** The payee and the account that pays for gas, which must differ. */
export function readPayee(reading: Reading, context: PayeeContext): Payee {
  const payTo = readPayTo(reading, context);
  const relayerKey = readRelayerKey(reading, payTo, context.production);
  return { payTo, relayerKey, ownershipProof: readProof(reading, payTo, context.origin) };
}

function readPayTo(reading: Reading, context: PayeeContext): Address | null {
  const text = reading.text('PAY_TO');
  // In production the embedded chain is refused, and whatever takes its place needs a payee.
  if (context.embedded && !context.production) {
    // A real wallet takes the embedded chain for Base, and would sign real money away to an address of the operator.
    if (text !== null && reading.given('SETTLERS'))
      reading.fault(
        'PAY_TO',
        'must not be set with the embedded chain, whose payee can receive no real USDC',
      );
    return null;
  }
  if (text === null) {
    if (reading.faulty('PAY_TO')) return null;
    return reading.fault('PAY_TO', 'is missing; it is the address that receives the USDC');
  }
  const payTo = checksummed(text);
  if (payTo === null)
    return reading.fault(
      'PAY_TO',
      'must be 0x and 40 hexadecimal digits, with a right EIP-55 checksum if mixed-case',
    );
  if (payTo === zeroAddress)
    return reading.fault('PAY_TO', 'is the zero address; what is paid to it is lost');
  if (payTo === context.network.usdc) return reading.fault('PAY_TO', 'is the USDC contract itself');
  if (context.production && publicAccounts.includes(payTo))
    return reading.fault('PAY_TO', 'is a development account whose private key is public');
  return payTo;
}

function readRelayerKey(reading: Reading, payTo: Address | null, production: boolean): Secret | null {
  const text = reading.text('RELAYER_KEY');
  if (text === null) return null;
  const relayer = addressOfKey(text);
  if (relayer === null)
    return reading.fault('RELAYER_KEY', 'must be a private key: 0x and 64 hexadecimal digits');
  if (production && publicAccounts.includes(relayer))
    return reading.fault('RELAYER_KEY', 'is a development key that is public');
  // The relayer's key lies on a server; the money earned must not lie under the same key.
  if (relayer === payTo)
    return reading.fault('RELAYER_KEY', 'is the key of PAY_TO; use a separate account for gas');
  return new Secret(text);
}

function readProof(reading: Reading, payTo: Address | null, origin: string): `0x${string}` | null {
  const proof = reading.text('X402_OWNERSHIP_PROOF');
  if (proof === null) return null;
  const setting = 'X402_OWNERSHIP_PROOF';
  if (!isSignature(proof))
    return reading.fault(setting, 'must be a signature: 0x and 130 hexadecimal digits');
  if (!reading.given('PAY_TO')) return reading.fault(setting, 'needs PAY_TO, whose key has signed it');
  if (payTo === null || reading.faulty('PUBLIC_BASE_URL')) return null;
  if (signerOf(origin, proof) !== payTo)
    return reading.fault(
      setting,
      `is not the signature of PAY_TO over ${origin} (personal_sign, without a slash)`,
    );
  return proof;
}

function isSignature(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{130}$/.test(text);
}
