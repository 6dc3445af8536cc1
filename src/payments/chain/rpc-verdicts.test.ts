import { describe, expect, it } from 'vitest';
import type { RpcError } from './rpc-node.ts';
import {
  isHalt,
  isReadVerdict,
  isRequestFault,
  isTurnedAway,
  lacksMethod,
  rejectionOf,
} from './rpc-verdicts.ts';

const error = (changes: Partial<RpcError> = {}): RpcError => ({
  status: 200,
  code: -32000,
  said: '',
  data: null,
  ...changes,
});

describe("a node's refusal of a transaction", () => {
  it.each([
    ['taken', 'already known'],
    ['taken', 'transaction already imported'],
    ['taken', 'Transaction is already in pool'],
    ['stale_nonce', 'nonce too low'],
    ['stale_nonce', 'replacement transaction underpriced'],
    ['too_cheap', 'max fee per gas less than block base fee'],
    ['too_cheap', 'transaction underpriced'],
    ['too_cheap', 'fee cap too low'],
    ['not_sent', 'insufficient funds for gas * price + value'],
    ['not_sent', 'intrinsic gas too low'],
    ['not_sent', 'gas floor exceeds the gas limit'],
    // The messages of geth, erigon, reth, nethermind, besu, and gateways in front of them.
    ['no_room', 'txpool is full'],
    ['no_room', 'pending sub-pool is full'],
    ['no_room', 'transaction discarded outright due to pool size constraints'],
    ['no_room', 'too many pending transactions of this account'],
    ['no_room', 'future transactions limit reached'],
    ['no_room', 'in-flight transaction limit reached for delegated accounts'],
    ['no_room', 'account limit exceeded'],
    ['no_room', 'transaction nonce is too distant from current sender nonce'],
    [null, 'internal error'],
  ])('means %s when it says "%s"', (meant, said) => {
    expect(rejectionOf(error({ said }))).toBe(meant);
  });

  it('counts as acceptance if only the block was late', () => {
    expect(rejectionOf(error({ code: 4 }))).toBe('taken');
    expect(rejectionOf(error({ code: 3 }))).toBeNull();
  });
});

describe('a call that ended in the EVM', () => {
  it.each([
    ['by the code of a revert', { code: 3 }],
    ['by the code of an execution error', { code: -32015 }],
    ['by its revert data', { data: '0x' }],
    ['in the words of a revert', { said: 'execution reverted' }],
    ['in the words of a call without gas', { said: 'out of gas' }],
    ['in the words of an invalid opcode', { said: 'invalid opcode: INVALID' }],
    ['in the words of anvil', { said: 'EVM error InvalidFEOpcode' }],
  ])('is recognized %s', (_how, changes) => {
    expect(isHalt(error(changes))).toBe(true);
    expect(isReadVerdict(error(changes))).toBe(true);
  });

  it.each([
    ['a busy node', { said: 'busy' }],
    ['text in the place of revert data', { data: 'Reverted' }],
    ['a fault of the EVM itself', { said: 'EVM error: fatal database error' }],
    ['no code', { code: null }],
  ])('is not recognized by %s', (_what, changes) => {
    expect(isHalt(error(changes))).toBe(false);
    expect(isReadVerdict(error(changes))).toBe(false);
  });

  it('has the same result at every node, even for a transaction that cannot run', () => {
    expect(isReadVerdict(error({ said: 'insufficient funds for transfer' }))).toBe(true);
    expect(isHalt(error({ said: 'insufficient funds for transfer' }))).toBe(false);
  });

  it.each([401, 403, 429, 500, 503])('is not what a gateway with status %i reports', (status) => {
    expect(isReadVerdict(error({ status, code: 3 }))).toBe(false);
  });

  it('is recognized with a status of 400 or 499', () => {
    for (const status of [400, 499]) expect(isReadVerdict(error({ status, code: 3 }))).toBe(true);
  });
});

describe('a call that no node can have received', () => {
  it.each([
    { status: 401 },
    { status: 403 },
    { status: 429 },
    { status: 503 },
    { code: -32005 },
    { said: 'no backend is currently healthy' },
    { said: 'Too Many Requests' },
    { said: 'rate limit reached' },
    { said: 'Unauthorized' },
    { code: -32601 },
  ])('was rejected with %j', (changes) => {
    expect(isTurnedAway(error(changes))).toBe(true);
  });

  it.each([{}, { status: 500 }, { code: -32006 }, { said: 'nonce too low' }])(
    'is not recognized by %j',
    (changes) => {
      expect(isTurnedAway(error(changes))).toBe(false);
    },
  );
});

describe('the fault in a reply', () => {
  it.each([
    [true, true, { code: -32601 }],
    [true, true, { said: 'the method eth_x does not exist/is not available' }],
    [true, true, { said: 'Method eth_x unsupported' }],
    [true, false, { code: -32600 }],
    [true, false, { code: -32602 }],
    [false, false, { code: -32603 }],
    [false, false, { code: null }],
  ])('is in the request (%j) or in its method (%j) if the reply has %j', (isFault, isMethod, changes) => {
    expect(isRequestFault(error(changes))).toBe(isFault);
    expect(lacksMethod(error(changes))).toBe(isMethod);
  });
});
