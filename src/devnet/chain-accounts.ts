import { pbkdf2Sync } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { HDKey, privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';

/** The development mnemonic that every Ethereum tool ships with: worthless, and known to everyone. */
export const devMnemonic = 'test test test test test test test test test test test junk';

export type DevAccount = { readonly address: Address; readonly privateKey: Hex };

/** The first `count` accounts of the public development mnemonic, at m/44'/60'/0'/0/i. */
export const devAccounts = (count: number): DevAccount[] => {
  // BIP-39 requires 2,048 rounds of PBKDF2: 100 ms in JavaScript, 4 ms in OpenSSL.
  const seed = pbkdf2Sync(devMnemonic, 'mnemonic', 2048, 64, 'sha512');
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  return Array.from({ length: count }, (_, index) => {
    const child = parent.deriveChild(index).privateKey;
    if (!child) throw new Error(`The development mnemonic has no account ${index}`);
    const privateKey = toHex(child);
    return { address: privateKeyToAddress(privateKey), privateKey };
  });
};
