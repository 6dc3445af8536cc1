import type { Network } from '../domain/networks.ts';
import { type Address, addressOfKey, checksummed, signerOf } from './address.ts';
import { publicAccounts } from './public-accounts.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

export type PayeeContext = {
  readonly embedded: boolean;
  readonly production: boolean;
  readonly network: Network;
  readonly origin: string;
};

/** An account that pays for gas. */
export type RelayerAccount = { readonly key: Secret; readonly address: Address };

export type Payee = {
  /** null with the embedded chain, and only then: its own payee receives the play money. */
  readonly payTo: Address | null;
  /** The account that pays for gas; null without RELAYER_KEY. */
  readonly relayer: RelayerAccount | null;
  readonly ownershipProof: `0x${string}` | null;
};

/** The payee and the account that pays for gas, which must differ. */
export function readPayee(reading: Reading, context: PayeeContext): Payee {
  const payTo = readPayTo(reading, context);
  const relayer = readRelayer(reading, payTo, context.production);
  return { payTo, relayer, ownershipProof: readProof(reading, payTo, context.origin) };
}

function readPayTo(reading: Reading, context: PayeeContext): Address | null {
  const text = reading.text('PAY_TO');
  // In production the embedded chain is refused, and any other settler needs a payee.
  if (context.embedded && !context.production) {
    // A real wallet sees the embedded chain as Base, and would sign away real money to an address of the operator.
    if (text !== null && reading.isSet('SETTLERS'))
      reading.fault(
        'PAY_TO',
        'must not be set with the embedded chain, whose payee can receive no real USDC',
      );
    return null;
  }
  if (text === null) {
    if (reading.isFaulty('PAY_TO')) return null;
    return reading.fault('PAY_TO', 'is missing; it is the address that receives the USDC');
  }
  const payTo = checksummed(text);
  if (payTo === null)
    return reading.fault(
      'PAY_TO',
      'must be 0x and 40 hexadecimal digits, with a right EIP-55 checksum if mixed-case',
    );
  if (payTo === ZERO_ADDRESS)
    return reading.fault('PAY_TO', 'is the zero address; what is paid to it is lost');
  if (payTo === context.network.usdc) return reading.fault('PAY_TO', 'is the USDC contract itself');
  if (context.production && publicAccounts.includes(payTo))
    return reading.fault('PAY_TO', 'is a development account whose private key is public');
  return payTo;
}

function readRelayer(reading: Reading, payTo: Address | null, production: boolean): RelayerAccount | null {
  const text = reading.text('RELAYER_KEY');
  if (text === null) return null;
  const address = addressOfKey(text);
  if (address === null)
    return reading.fault('RELAYER_KEY', 'must be a private key: 0x and 64 hexadecimal digits');
  if (production && publicAccounts.includes(address))
    return reading.fault('RELAYER_KEY', 'is a development key that is public');
  // The relayer's key is stored on a server; the income must not depend on the same key.
  if (address === payTo)
    return reading.fault('RELAYER_KEY', 'is the key of PAY_TO; use a separate account for gas');
  return Object.freeze({ key: new Secret(text), address });
}

function readProof(reading: Reading, payTo: Address | null, origin: string): `0x${string}` | null {
  const proof = reading.text('X402_OWNERSHIP_PROOF');
  if (proof === null) return null;
  const setting = 'X402_OWNERSHIP_PROOF';
  if (!/^0x[0-9a-fA-F]{130}$/.test(proof))
    return reading.fault(setting, 'must be a signature: 0x and 130 hexadecimal digits');
  if (!reading.isSet('PAY_TO')) return reading.fault(setting, 'needs PAY_TO, whose key has signed it');
  if (payTo === null || reading.isFaulty('PUBLIC_BASE_URL')) return null;
  if (signerOf(origin, proof) !== payTo)
    return reading.fault(
      setting,
      `is not the signature of PAY_TO over ${origin} (personal_sign, without a slash)`,
    );
  return proof as `0x${string}`;
}
