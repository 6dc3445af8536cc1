import { isIP } from 'node:net';
import { type Network, networkIds, networks } from '../domain/networks.ts';
import { type OperatorRate, readOperatorRate } from '../domain/statutory-rates.ts';
import { cdpSecretFault, type SettlerChoice } from '../payments/facilitator/known-facilitators.ts';
import { loadEnvFile } from '../platform/command-line.ts';
import { redisAddress } from '../platform/redis.ts';
import {
  type Address,
  addressOfKey,
  callable,
  checksummed,
  isHost,
  isLoopback,
  isPrivateChannel,
  isPrivateHost,
  isWildcard,
  publicAccounts,
  signerOf,
  webAddress,
} from './address.ts';
import {
  type Environment,
  type Fault,
  goneSettings,
  mistypedSettings,
  type Reading,
  readingOf,
  Secret,
  type Wrong,
  wrong,
} from './reading.ts';
import type { SettingName } from './settings.ts';

/** A range of addresses: those that share the first `prefix` bits with `address`. */
type AddressRange = {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
};

/** All settings of an operator, validated and frozen. Secrets are `Secret`s: printing a Config shows none of them. */
export type Config = {
  readonly production: boolean;
  readonly network: Network;
  /** The settlers in order of preference; at least one. */
  readonly settlers: readonly SettlerChoice[];
  readonly port: number;
  readonly host: string;
  /** An origin without a trailing slash. */
  readonly publicBaseUrl: string;
  /** How long connections are still accepted after shutdown was announced. */
  readonly drainDelaySeconds: number;
  /** null only with the embedded chain, whose own payee receives the play money. */
  readonly payTo: Address | null;
  /** The account that pays for gas; null without RELAYER_KEY. */
  readonly relayer: { readonly key: Secret; readonly address: Address } | null;
  readonly ownershipProof: `0x${string}` | null;
  /** The key that signs receipts. null: receipts are not signed, except on the embedded chain, which generates a key. */
  readonly receiptKey: Secret | null;
  /** As `x` of a JWK. */
  readonly retiredReceiptKeys: readonly string[];
  /** Secret, because such URLs usually contain keys. */
  readonly rpcUrls: readonly Secret[];
  readonly redisUrl: Secret | null;
  /** Maximum cost of gas for each cent sold. */
  readonly gasGweiPerCent: number;
  readonly gasBudgetGweiPerHour: number;
  /** Blocks on top of a transfer before its answer is returned. */
  readonly confirmations: number;
  readonly cdpApiKey: { readonly id: Secret; readonly secret: Secret } | null;
  readonly trustedProxies: readonly AddressRange[];
  readonly freeRequestsPerMinute: number;
  readonly contactEmail: string | null;
  /** Reference rates of statutory interest in addition to the rates of the release. */
  readonly referenceRates: readonly OperatorRate[];
  /** Address of the metrics; null disables them. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** The token that unlocks the metrics and the reasons behind the service's health. */
  readonly operatorToken: Secret | null;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
};

/** `warnings` name variables that look like mistyped settings. The service starts anyway. */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Fault[] };

/**
 * Reads the settings of a program from its environment and from a file, which is `.env` unless the operator named
 * another one. Returns a message with all faults if they are wrong.
 */
export function loadConfig(file?: string): Extract<ConfigReading, { ok: true }> | string {
  const unreadable = loadEnvFile(file, { mustExist: file !== undefined });
  const reading = readConfig(process.env);
  if (unreadable === null && reading.ok) return reading;
  const faults = reading.ok ? null : configMessage(reading.faults, reading.warnings);
  return [unreadable, faults].filter((message) => message !== null).join('\n');
}

/** Reads the environment into a Config, or reports all faults at once. An empty value counts as absent. */
export function readConfig(env: Environment): ConfigReading {
  const reading = readingOf(env);
  const network = networks[reading.choice('NETWORK', networkIds) ?? networkIds[0]];
  const settlers = readSettlers(reading);
  const isEmbedded = settlers.some(({ kind }) => kind === 'embedded');
  // Real money means production by default. For an unknown mode, the strict rules of production apply.
  const mode = reading.choice('NODE_ENV', ['production', 'development']);
  const production = mode === null ? !isEmbedded && !network.isForStaging : mode === 'production';
  if (isEmbedded) refuseMisplacedEmbedded(reading, settlers.length, production);
  const listening = readListening(reading, production);
  // In production the embedded chain is rejected, and any other settler needs a payee.
  const payTo =
    isEmbedded && !production ? refuseRealPayee(reading) : readPayTo(reading, network.usdc, production);
  const relayer = readRelayer(reading, payTo, production);
  const ownershipProof = readProof(reading, payTo, listening.publicBaseUrl);
  const rpcUrls = readRpcUrls(reading, production);
  const redisUrl = readRedisUrl(reading, production);
  const operatorToken = readToken(reading);
  const receiptKeys = readReceiptKeys(reading, { payTo, relayer }, production);
  const config: Config = {
    ...listening,
    ...receiptKeys,
    confirmations: readConfirmations(reading, isEmbedded || rpcUrls.length > 0),
    gasGweiPerCent: reading.whole('MAX_GAS_GWEI_PER_CENT', 1, 100_000_000),
    gasBudgetGweiPerHour: reading.value('GAS_BUDGET_ETH_PER_HOUR', gweiOf) ?? 0,
    payTo,
    relayer,
    ownershipProof,
    rpcUrls,
    redisUrl,
    network,
    settlers,
    production,
    cdpApiKey: readCdpApiKey(reading),
    trustedProxies: reading.list('TRUSTED_PROXIES', MOST_RANGES, rangeOf),
    freeRequestsPerMinute: reading.whole('FREE_REQUESTS_PER_MINUTE', 1, 1_000_000),
    contactEmail: reading.value('CONTACT_EMAIL', (text) =>
      EMAIL.test(text) ? text : wrong('must be one email address'),
    ),
    referenceRates: reading.list('REFERENCE_RATES', 40, (entry) => {
      const rate = readOperatorRate(entry);
      return typeof rate === 'string' ? wrong(rate) : rate;
    }),
    metrics: readMetrics(reading, listening.port, operatorToken),
    operatorToken,
    logLevel: reading.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ?? 'info',
  };
  const warnings = mistypedSettings(env);
  const faults = [...reading.faults, ...goneSettings(env)];
  if (faults.length > 0) return { ok: false, faults, warnings };
  for (const part of Object.values(config)) if (typeof part === 'object') Object.freeze(part);
  return { ok: true, config: Object.freeze(config), warnings };
}

/** One message for people with every fault, then the settings that may have been meant. */
export function configMessage(faults: readonly Fault[], warnings: readonly Fault[] = []): string {
  const line = ({ setting, detail }: Fault) => `  ${setting} ${detail}`;
  const head = faults.length === 1 ? 'A setting is wrong:' : `${faults.length} settings are wrong:`;
  const hints = warnings.length === 0 ? [] : ['Perhaps mistyped:', ...warnings.map(line)];
  return [head, ...faults.map(line), ...hints, 'The settings are described in .env.example.'].join('\n');
}

const MOST_SETTLERS = 8;
const REAL_SETTINGS: readonly SettingName[] = [
  'PAY_TO',
  'RPC_URLS',
  'RELAYER_KEY',
  'CDP_API_KEY_ID',
  'CDP_API_KEY_SECRET',
];

/** Reads the settlers in order, and checks that each one has the settings that it needs. */
function readSettlers(reading: Reading): readonly SettlerChoice[] {
  const settlers = reading.list('SETTLERS', MOST_SETTLERS, (entry): SettlerChoice | Wrong => {
    if (entry === 'embedded' || entry === 'local' || entry === 'cdp' || entry === 'payai')
      return { kind: entry };
    if (!entry.includes('://'))
      return wrong('must be embedded, local, cdp, payai or the URL of a facilitator');
    const url = webAddress(entry);
    if (typeof url === 'string') return wrong(url);
    if (url.search !== '') return wrong('must not have a query');
    if (!isPrivateChannel(url)) return wrong('must use https, or http on this machine');
    return { kind: 'facilitator', url: url.href.replace(/\/+$/, '') };
  });
  const kinds = new Set(settlers.map((settler) => settler.kind));
  if (kinds.has('local')) requireAll(reading, 'local', ['RPC_URLS', 'RELAYER_KEY']);
  if (kinds.has('cdp')) requireAll(reading, 'cdp', ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET']);
  return settlers;
}

function refuseMisplacedEmbedded(reading: Reading, count: number, production: boolean) {
  if (production)
    reading.fault('SETTLERS', 'must name real settlers in production; the embedded chain is play money');
  if (count > 1)
    reading.fault(
      'SETTLERS',
      'lists embedded together with other settlers; they would settle on different chains',
    );
  const meantForReal = REAL_SETTINGS.filter((name) => reading.isSet(name));
  if (!production && !reading.isSet('SETTLERS') && meantForReal.length > 0)
    reading.fault(
      'SETTLERS',
      `is missing, so ${meantForReal.join(', ')} would be ignored and only play money accepted`,
    );
  if (reading.text('NETWORK') !== 'eip155:8453')
    reading.fault('NETWORK', 'must be eip155:8453 with the embedded chain');
}

function requireAll(reading: Reading, settler: string, names: readonly SettingName[]) {
  for (const name of names)
    if (!reading.isSet(name) && !reading.isFaulty(name))
      reading.fault(name, `is missing; the settler ${settler} needs it`);
}

/** Reads where the service listens and its public origin. */
function readListening(reading: Reading, production: boolean) {
  const port = reading.whole('PORT', 1, 65_535);
  const host =
    reading.value('HOST', (text) => (isHost(text) ? text : wrong('must be an IP address or a host name'))) ??
    '';
  const publicBaseUrl = reading.isSet('PUBLIC_BASE_URL')
    ? readOrigin(reading, production)
    : host === ''
      ? ''
      : new URL(`http://${callable(host)}:${port}`).origin;
  if (production && !reading.isSet('PUBLIC_BASE_URL'))
    reading.fault('PUBLIC_BASE_URL', 'is missing; production requires the https origin that callers use');
  return { port, host, publicBaseUrl, drainDelaySeconds: reading.whole('DRAIN_DELAY_SECONDS', 0, 300) };
}

/** An origin, such as https://calc.example; a slash may follow. */
const readOrigin = (reading: Reading, production: boolean): string =>
  reading.value('PUBLIC_BASE_URL', (text) => {
    const url = webAddress(text);
    if (typeof url === 'string') return wrong(url);
    if (url.pathname !== '/' || text.includes('?'))
      return wrong('must be an origin such as https://calc.example, without a path or query');
    const isAllowed = !production || url.protocol === 'https:';
    return isAllowed ? url.origin : wrong('must be https in production');
  }) ?? '';

/** Reads the address of the metrics. It needs its own port, and a token if other machines can reach it. */
function readMetrics(reading: Reading, port: number, token: Secret | null): Config['metrics'] {
  const read = reading.value('METRICS_ADDRESS', (text) => {
    const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
    const address = { host: inBrackets ?? plain ?? '', port: Number(digits) };
    return isHost(address.host) && address.port >= 1 && address.port <= 65_535
      ? address
      : wrong('must be an address and a port, such as 127.0.0.1:9464');
  });
  if (read === null) return null;
  if (read.port === port && !reading.isFaulty('PORT'))
    reading.fault('METRICS_ADDRESS', 'uses the port of the service; use a different port');
  const isOpen = isWildcard(read.host) || !isLoopback(callable(read.host));
  if (isOpen && token === null && !reading.isFaulty('OPERATOR_TOKEN'))
    reading.fault('OPERATOR_TOKEN', 'is missing; METRICS_ADDRESS can be reached from other machines');
  return read;
}

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** A real wallet sees the embedded chain as Base, and would sign away real money to an address of the operator. */
function refuseRealPayee(reading: Reading): null {
  if (reading.text('PAY_TO') !== null && reading.isSet('SETTLERS'))
    reading.fault('PAY_TO', 'must not be set with the embedded chain, whose payee cannot receive real USDC');
  return null;
}

function readPayTo(reading: Reading, usdc: string, production: boolean): Address | null {
  if (!reading.isSet('PAY_TO') && !reading.isFaulty('PAY_TO'))
    return reading.fault('PAY_TO', 'is missing; it is the address that receives the USDC');
  return reading.value('PAY_TO', (text) => {
    const payTo = checksummed(text);
    if (payTo === null)
      return wrong('must be 0x and 40 hexadecimal digits, with a valid EIP-55 checksum if it is mixed-case');
    if (payTo === ZERO_ADDRESS) return wrong('is the zero address; payments to it are lost');
    if (payTo === usdc) return wrong('is the USDC contract itself');
    const isPublic = production && publicAccounts.includes(payTo);
    return isPublic ? wrong('is a development account whose private key is public') : payTo;
  });
}

const readRelayer = (reading: Reading, payTo: Address | null, production: boolean): Config['relayer'] =>
  reading.value('RELAYER_KEY', (text) => {
    const address = addressOfKey(text);
    if (address === null) return wrong('must be a private key: 0x and 64 hexadecimal digits');
    if (production && publicAccounts.includes(address)) return wrong('is a development key that is public');
    // The relayer's key is stored on a server. The income must not depend on the same key.
    if (address === payTo) return wrong('is the key of PAY_TO; use a separate account for gas');
    return Object.freeze({ key: new Secret(text), address });
  });

const readProof = (reading: Reading, payTo: Address | null, origin: string): `0x${string}` | null =>
  reading.value('X402_OWNERSHIP_PROOF', (proof) => {
    if (!/^0x[0-9a-fA-F]{130}$/.test(proof))
      return wrong('must be a signature: 0x and 130 hexadecimal digits');
    if (!reading.isSet('PAY_TO')) return wrong('needs PAY_TO, whose key signed it');
    if (payTo === null || reading.isFaulty('PUBLIC_BASE_URL')) return null;
    return signerOf(origin, proof) === payTo
      ? (proof as `0x${string}`)
      : wrong(`is not the signature of PAY_TO over ${origin} (personal_sign, without a slash)`);
  });

const MOST_RECEIPT_KEYS = 9;

/**
 * Reads the key that signs receipts, and the public halves (`x` of a JWK) of earlier keys. The key is stored on a
 * server, so it must not belong to an account that holds money.
 */
function readReceiptKeys(
  reading: Reading,
  { payTo, relayer }: Pick<Config, 'payTo' | 'relayer'>,
  production: boolean,
): Pick<Config, 'receiptKey' | 'retiredReceiptKeys'> {
  const [key, ...retired] = reading.list('RECEIPT_KEYS', MOST_RECEIPT_KEYS, (entry, index) => {
    if (index > 0)
      return /^[\w-]{43}$/.test(entry)
        ? entry
        : wrong('must be the 43 characters of x in /.well-known/did.json');
    if (!/^0x[0-9a-fA-F]{64}$/.test(entry)) return wrong('must be 0x and 64 hexadecimal digits');
    const account = addressOfKey(entry);
    if (account === null) return entry;
    if (account === payTo) return wrong('is the key of PAY_TO; use a key of an account without money');
    if (account === relayer?.address) return wrong('is RELAYER_KEY; use a key of an account without money');
    const isPublic = production && publicAccounts.includes(account);
    return isPublic ? wrong('is a development key that is public') : entry;
  });
  return { receiptKey: key === undefined ? null : new Secret(key), retiredReceiptKeys: retired };
}

const MOST_RPC_URLS = 8;
const NOT_ENCRYPTED =
  'is not encrypted, so anyone on the network path could forge the answers; in production, use TLS, or a host on this machine or on a private network';

const readRpcUrls = (reading: Reading, production: boolean): readonly Secret[] =>
  reading.list('RPC_URLS', MOST_RPC_URLS, (entry) => {
    const url = webAddress(entry);
    if (typeof url === 'string') return wrong(url);
    const isSafe = !production || isPrivateChannel(url) || isPrivateHost(url.hostname);
    return isSafe ? new Secret(entry) : wrong(NOT_ENCRYPTED);
  });

const readRedisUrl = (reading: Reading, production: boolean): Secret | null =>
  reading.value('REDIS_URL', (text) => {
    const address = redisAddress(text);
    if (typeof address === 'string') return wrong(address);
    const isSafe =
      !production || address.isEncrypted || address.hosts.every(({ host }) => isPrivateHost(host));
    return isSafe ? new Secret(text) : wrong(NOT_ENCRYPTED);
  });

const GWEI_DECIMALS = 9;
const SHORTEST_TOKEN = 16;

function readConfirmations(reading: Reading, hasChain: boolean): number {
  const confirmations = reading.whole('CONFIRMATIONS', 0, 64);
  if (confirmations > 0 && !hasChain)
    reading.fault('CONFIRMATIONS', 'needs RPC_URLS, because only a node can count blocks');
  return confirmations;
}

function gweiOf(eth: string): number | Wrong {
  const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,9}))?$/.exec(eth) ?? [];
  const gwei = whole === undefined ? 0 : Number(whole + decimals.padEnd(GWEI_DECIMALS, '0'));
  return gwei > 0 ? gwei : wrong('must be an amount of ETH over 0 and below 100, such as 0.02');
}

/** The token that unlocks restricted details. If null, no caller can see them. */
const readToken = (reading: Reading): Secret | null =>
  reading.value('OPERATOR_TOKEN', (text) =>
    /^[\x21-\x7e]+$/.test(text) && text.length >= SHORTEST_TOKEN
      ? new Secret(text)
      : wrong(`must have at least ${SHORTEST_TOKEN} characters, without spaces`),
  );

const MOST_RANGES = 64;
// A range wider than 10.0.0.0/8, the widest private range of IPv4, is probably a mistake. Without this limit, a list
// of wide ranges could trust every address.
const WIDEST_PREFIX = { 4: 8, 6: 16 } as const;
// Unique local addresses are private as a whole.
const UNIQUE_LOCAL = /^f[cd][0-9a-f]{2}:/i;

/** The range that a CIDR or a single address names, or what is wrong with it. */
function rangeOf(entry: string): AddressRange | Wrong {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(prefix <= widest))
    return wrong('is not an IP address or a CIDR range');
  const shortest = version === 6 ? (UNIQUE_LOCAL.test(address) ? 7 : WIDEST_PREFIX[6]) : WIDEST_PREFIX[4];
  if (prefix < shortest)
    return wrong(
      `is wider than /${shortest}: callers in it could choose their own address; list only the ranges of the proxies`,
    );
  // Callers' IPv4-mapped addresses are read as IPv4, so such a range would never match anything.
  if (/^::ffff:/i.test(address)) return wrong('is an IPv4 range in IPv6 notation; write the IPv4 range');
  return Object.freeze({ address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' });
}

function readCdpApiKey(reading: Reading): Config['cdpApiKey'] {
  const id = reading.text('CDP_API_KEY_ID');
  const secret = reading.value('CDP_API_KEY_SECRET', (text) => {
    const fault = cdpSecretFault(text);
    return fault === null ? text : wrong(fault);
  });
  if (id !== null && secret !== null) return { id: new Secret(id), secret: new Secret(secret) };
  for (const [own, other] of [
    ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET'],
    ['CDP_API_KEY_SECRET', 'CDP_API_KEY_ID'],
  ] as const)
    if (reading.isSet(other) && !reading.isSet(own) && !reading.isFaulty(own))
      reading.fault(own, `is missing although ${other} is set`);
  return null;
}

const EMAIL = /^(?=.{3,254}$)[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

/**
 * The secret for the names of callers in Redis. All instances of a deployment have it, and Redis never sees it. The
 * first of these settings that is set is used, so an upgrade that adds a later one changes nothing. Null if none is
 * set.
 */
export const callerSecretOf = ({ receiptKey, cdpApiKey }: Config): string | null =>
  (receiptKey ?? cdpApiKey?.secret)?.reveal() ?? null;
