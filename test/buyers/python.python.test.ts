import { spawnSync } from 'node:child_process';
import { it } from 'vitest';
import { expectNotice, publishedPrograms, readersFolder, removed, SIGNER, sharedShop } from './bench.ts';

const shop = sharedShop();
const python = process.env.PYTHON_PATH ?? 'python3';
const hasLibrary = spawnSync(python, ['-c', 'import eth_account']).status === 0;

/** The functions that the program calls in eth-account, if the package is not available. */
const STAND_IN = `
import json, os, subprocess

def ask(*words):
    return subprocess.run(["node", "signer.mjs", *words], check=True, capture_output=True, text=True).stdout.strip()

class Signed:
    def __init__(self, signature):
        self.signature = bytes.fromhex(signature[2:])

class Account:
    def __init__(self, address):
        self.address = address

    @staticmethod
    def from_key(key):
        return Account(ask("address"))

    @staticmethod
    def sign_typed_data(key, domain_data, message_types, message_data):
        message = {name: "0x" + value.hex() if isinstance(value, bytes) else value for name, value in message_data.items()}
        [primary] = message_types
        return Signed(ask("typed", json.dumps({"domain": domain_data, "types": message_types, "primaryType": primary, "message": message})))
`;

it(`the program in Python buys the notice${hasLibrary ? '' : ', with a stand-in for eth-account'}`, async () => {
  const { 'buy.py': program = '' } = await publishedPrograms(shop());
  const library = hasLibrary ? {} : { 'eth_account.py': STAND_IN, 'signer.mjs': SIGNER };
  const folder = readersFolder({ 'buy.py': program, ...library });
  try {
    await expectNotice(shop(), { command: python, args: ['buy.py'], folder });
  } finally {
    removed(folder);
  }
});
