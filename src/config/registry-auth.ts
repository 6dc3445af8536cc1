import type { Reading } from './reading.ts';

/** Bytes of a public key, by its kind: Ed25519, and a compressed point of P-384. */
const KEY_BYTES: Readonly<Record<string, number>> = { ed25519: 32, ecdsap384: 49 };

/** The proof that the MCP Registry asks a domain for: a public key, never its private one. */
export function readRegistryAuth(reading: Reading): string | null {
  const text = reading.text('MCP_REGISTRY_AUTH');
  if (text === null) return null;
  const [, kind = '', key = ''] = /^v=MCPv1; k=(\w+); p=([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  return Buffer.from(key, 'base64').length === KEY_BYTES[kind]
    ? text
    : reading.fault(
        'MCP_REGISTRY_AUTH',
        'must be v=MCPv1; k=ed25519; p= and the public key of 32 bytes in base64 (or k=ecdsap384 and 49 bytes)',
      );
}
