import { readFileSync } from 'node:fs';
import type { Site } from '../site.ts';

/** A program that buys the cheapest operation, as a developer copies it. */
export type BuyerProgram = {
  readonly title: string;
  readonly file: string;
  readonly language: 'ts' | 'python' | 'go' | 'js' | 'sh';
};

/** In reading order. The curl program calls the signer. */
export const buyerPrograms: readonly BuyerProgram[] = [
  { title: 'TypeScript, with the official client', file: 'buy.ts', language: 'ts' },
  { title: 'Python, with eth-account', file: 'buy.py', language: 'python' },
  { title: 'Go, with go-ethereum', file: 'buy.go', language: 'go' },
  { title: 'curl, with the signer below as sign.mjs', file: 'buy.sh', language: 'sh' },
  { title: 'sign.mjs, with viem', file: 'sign.mjs', language: 'js' },
];

/** The text of a program for this service. Each runs unchanged, with a wallet's key in BUYER_KEY. */
export const programText = ({ file }: BuyerProgram, { baseUrl, terms }: Site): string =>
  readFileSync(new URL(`./buyers/${file}`, import.meta.url), 'utf8')
    .replaceAll('https://calc.example', baseUrl)
    .replaceAll('eip155:8453', terms.network)
    .trimEnd();
