import { isIP } from 'node:net';
import { type Network, networkIds, networks } from '../domain/networks.ts';
import { type OperatorRate, operatorRateFault, readOperatorRates } from '../domain/statutory-rates.ts';
import { cdpSecretFault } from '../payments/facilitator/cdp-key.ts';
import type { FacilitatorChoice } from '../payments/facilitator/known-facilitators.ts';
import { redisAddress } from '../platform/redis-address.ts';
import { type Address, addressOfKey, checksummed, publicAccounts, signerOf } from './address.ts';
import {
  type Environment,
  type Fault,
  goneSettings,
  mistypedSettings,
  type Reading,
  readingOf,
} from './reading.ts';
import { Secret } from './secret.ts';
import type { SettingName } from './settings.ts';
import {
  callable,
  isHost,
  isLoopback,
  isPrivateChannel,
  isPrivateHost,
  isWildcard,
  originOf,
  webAddress,
} from './web-address.ts';

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | FacilitatorChoice;

export type Listening = {
  readonly port: number;
  readonly host: string;
  /** An origin without a closing slash. */
  readonly publicBaseUrl: string;
  /** How long connections are still accepted after shutdown was announced. */
  readonly drainDelaySeconds: number;
};

export type PayeeContext = {
  readonly embedded: boolean;
  readonly production: boolean;
  readonly network: Network;
  readonly origin: string;
};

/** An account that pays for gas. */
export type RelayerAccount = { readonly key: Secret; readonly address: Address };

export type Payee = {
  /** null only with the embedded chain, whose own payee receives the play money. */
  readonly payTo: Address | null;
  /** The account that pays for gas; null without RELAYER_KEY. */
  readonly relayer: RelayerAccount | null;
  readonly ownershipProof: `0x${string}` | null;
};

/** The key that signs receipts, and earlier keys. */
export type Receipts = {
  /** null: receipts are not signed, except on the embedded chain, which generates a key. */
  readonly receiptKey: Secret | null;
  /** As `x` of a JWK. */
  readonly retiredReceiptKeys: readonly string[];
};

/** The servers that the service depends on. */
export type Remotes = {
  /** Secret, because such URLs usually contain keys. */
  readonly rpcUrls: readonly Secret[];
  readonly redisUrl: Secret | null;
};

/** The losses that an operator accepts from gas costs and from reorganizations of the chain. */
export type Risk = {
  /** Maximum cost of gas for each cent sold. */
  readonly gasGweiPerCent: number;
  readonly gasBudgetGweiPerHour: number;
  /** Blocks on top of a transfer before its answer is returned. */
  readonly confirmations: number;
};

/** A range of addresses: those that share the first `prefix` bits with `address`. */
export type AddressRange = {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
};

/** All settings of an operator, validated and frozen. Secrets are `Secret`s: printing a Config shows none of them. */
export type Config = Listening &
  Risk &
  Receipts &
  Remotes &
  Payee & {
    readonly network: Network;
    /** In order of preference, at least one. */
    readonly settlers: readonly SettlerChoice[];
    readonly cdpApiKey: { readonly id: Secret; readonly secret: Secret } | null;
    readonly trustedProxies: readonly AddressRange[];
    readonly freeRequestsPerMinute: number;
    readonly contactEmail: string | null;
    /** Reference rates of statutory interest in addition to those of the release. */
    readonly referenceRates: readonly OperatorRate[];
    /** Address of the metrics; null disables them. */
    readonly metrics: { readonly host: string; readonly port: number } | null;
    /** The token that unlocks the metrics and the reasons behind the service's health. */
    readonly operatorToken: Secret | null;
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
    readonly production: boolean;
  };

/** `warnings` name variables that look like mistyped settings. The service starts in spite of them. */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Fault[] };

/** Reads the environment into a Config, or reports all faults at once. An empty value counts as absent. */
export function readConfig(env: Environment): ConfigReading {
  const reading = readingOf(env);
  const network = networks[reading.choice('NETWORK', networkIds) ?? networkIds[0]];
  const settlers = readSettlers(reading);
  const isEmbedded = settlers.some(({ kind }) => kind === 'embedded');
  const production = readMode(reading, { isReal: !isEmbedded && !network.isForStaging });
  if (isEmbedded) refuseMisplacedEmbedded(reading, settlers.length, production);
  const listening = readListening(reading, production);
  const payee = readPayee(reading, {
    embedded: isEmbedded,
    production,
    network,
    origin: listening.publicBaseUrl,
  });
  const remotes = readRemotes(reading, production);
  const operatorToken = readToken(reading);
  const config: Config = {
    ...listening,
    ...payee,
    ...readReceipts(reading, payee, production),
    ...readRisk(reading, isEmbedded || remotes.rpcUrls.length > 0),
    ...remotes,
    network,
    settlers,
    production,
    cdpApiKey: readCdpApiKey(reading),
    trustedProxies: readTrustedProxies(reading),
    freeRequestsPerMinute: reading.whole('FREE_REQUESTS_PER_MINUTE', 1, 1_000_000),
    contactEmail: readContactEmail(reading),
    referenceRates: readOperatorRates(reading.list('REFERENCE_RATES', 40, operatorRateFault)),
    metrics: readMetrics(reading, listening.port, operatorToken),
    operatorToken,
    logLevel: reading.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ?? 'info',
  };
  const warnings = mistypedSettings(env);
  const faults = [...reading.faults, ...goneSettings(env)];
  if (faults.length > 0) return { ok: false, faults, warnings };
  return { ok: true, config: frozen(config), warnings };
}

/** One message for people with every fault, then the settings that may have been meant. */
export function configMessage(faults: readonly Fault[], warnings: readonly Fault[] = []): string {
  const line = ({ setting, detail }: Fault) => `  ${setting} ${detail}`;
  const head = faults.length === 1 ? 'A setting is wrong:' : `${faults.length} settings are wrong:`;
  const hints = warnings.length === 0 ? [] : ['Perhaps mistyped:', ...warnings.map(line)];
  return [head, ...faults.map(line), ...hints, 'The settings are described in .env.example.'].join('\n');
}

function frozen(config: Config): Config {
  for (const part of Object.values(config)) if (typeof part === 'object') Object.freeze(part);
  return Object.freeze(config);
}

/**
 * Whether this is production, which is the default with real money. For an unknown mode, the strict rules of production
 * apply.
 */
function readMode(reading: Reading, { isReal }: { readonly isReal: boolean }): boolean {
  const mode = reading.choice('NODE_ENV', ['production', 'development']);
  return mode === null ? isReal : mode === 'production';
}

const MOST_SETTLERS = 8;
const REAL_SETTINGS: readonly SettingName[] = [
  'PAY_TO',
  'RPC_URLS',
  'RELAYER_KEY',
  'CDP_API_KEY_ID',
  'CDP_API_KEY_SECRET',
];

/** Reads the settlers in order, and checks which of them can be combined and what each of them needs. */
function readSettlers(reading: Reading): readonly SettlerChoice[] {
  const settlers = reading.list('SETTLERS', MOST_SETTLERS).flatMap((entry, index) => {
    const settler = settlerOf(entry);
    if (typeof settler !== 'string') return [Object.freeze(settler)];
    reading.fault('SETTLERS', `entry ${index + 1} ${settler}`);
    return [];
  });
  const kinds = new Set(settlers.map((settler) => settler.kind));
  if (kinds.has('local')) requireAll(reading, 'local', ['RPC_URLS', 'RELAYER_KEY']);
  if (kinds.has('cdp')) requireAll(reading, 'cdp', ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET']);
  return settlers;
}

function settlerOf(entry: string): SettlerChoice | string {
  if (entry === 'embedded' || entry === 'local' || entry === 'cdp' || entry === 'payai')
    return { kind: entry };
  if (!entry.includes('://')) return 'must be embedded, local, cdp, payai or the URL of a facilitator';
  const url = webAddress(entry);
  if (typeof url === 'string') return url;
  if (url.search !== '') return 'must not have a query';
  if (!isPrivateChannel(url)) return 'must use https, or http on this machine';
  return { kind: 'facilitator', url: url.href.replace(/\/+$/, '') };
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
function readListening(reading: Reading, production: boolean): Listening {
  const port = reading.whole('PORT', 1, 65_535);
  const host = reading.text('HOST') ?? '';
  if (!reading.isFaulty('HOST') && !isHost(host))
    reading.fault('HOST', 'must be an IP address or a host name');
  const publicBaseUrl = reading.isSet('PUBLIC_BASE_URL')
    ? readOrigin(reading, production)
    : localOrigin(reading, { host, port, production });
  const drainDelaySeconds = reading.whole('DRAIN_DELAY_SECONDS', 0, 300);
  return { port, host, publicBaseUrl, drainDelaySeconds };
}

/** Reads the address of the metrics. It needs its own port, and a token if other machines can reach it. */
function readMetrics(reading: Reading, port: number, token: Secret | null): Config['metrics'] {
  const text = reading.text('METRICS_ADDRESS');
  if (text === null) return null;
  const read = parseAddress(text);
  if (read === null)
    return reading.fault('METRICS_ADDRESS', 'must be an address and a port, such as 127.0.0.1:9464');
  if (read.port === port && !reading.isFaulty('PORT'))
    reading.fault('METRICS_ADDRESS', 'uses the port of the service; use a different port');
  const isOpen = isWildcard(read.host) || !isLoopback(callable(read.host));
  if (isOpen && token === null && !reading.isFaulty('OPERATOR_TOKEN'))
    reading.fault('OPERATOR_TOKEN', 'is missing; METRICS_ADDRESS can be reached from other machines');
  return read;
}

function parseAddress(text: string): { host: string; port: number } | null {
  const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = inBrackets ?? plain ?? '';
  const port = Number(digits);
  return isHost(host) && port >= 1 && port <= 65_535 ? { host, port } : null;
}

function readOrigin(reading: Reading, production: boolean): string {
  const text = reading.text('PUBLIC_BASE_URL');
  const read = text === null ? '' : originOf(text);
  if (typeof read === 'string') {
    if (read !== '') reading.fault('PUBLIC_BASE_URL', read);
    return '';
  }
  if (production && !read.origin.startsWith('https:'))
    reading.fault('PUBLIC_BASE_URL', 'must be https in production');
  return read.origin;
}

function localOrigin(reading: Reading, at: { host: string; port: number; production: boolean }): string {
  if (at.production)
    reading.fault('PUBLIC_BASE_URL', 'is missing; production requires the https origin that callers use');
  return reading.isFaulty('HOST') ? '' : new URL(`http://${callable(at.host)}:${at.port}`).origin;
}

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Reads the payee and the account that pays for gas, which must differ. */
function readPayee(reading: Reading, context: PayeeContext): Payee {
  const payTo = readPayTo(reading, context);
  const relayer = readRelayer(reading, payTo, context.production);
  return { payTo, relayer, ownershipProof: readProof(reading, payTo, context.origin) };
}

function readPayTo(reading: Reading, context: PayeeContext): Address | null {
  const text = reading.text('PAY_TO');
  // In production the embedded chain is rejected, and any other settler needs a payee.
  if (context.embedded && !context.production) {
    // A real wallet sees the embedded chain as Base, and would sign away real money to an address of the operator.
    if (text !== null && reading.isSet('SETTLERS'))
      reading.fault(
        'PAY_TO',
        'must not be set with the embedded chain, whose payee cannot receive real USDC',
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
      'must be 0x and 40 hexadecimal digits, with a valid EIP-55 checksum if it is mixed-case',
    );
  if (payTo === ZERO_ADDRESS) return reading.fault('PAY_TO', 'is the zero address; payments to it are lost');
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
  // The relayer's key is stored on a server. The income must not depend on the same key.
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
  if (!reading.isSet('PAY_TO')) return reading.fault(setting, 'needs PAY_TO, whose key signed it');
  if (payTo === null || reading.isFaulty('PUBLIC_BASE_URL')) return null;
  if (signerOf(origin, proof) !== payTo)
    return reading.fault(
      setting,
      `is not the signature of PAY_TO over ${origin} (personal_sign, without a slash)`,
    );
  return proof as `0x${string}`;
}

const MOST_RECEIPT_KEYS = 9;

/**
 * Reads the key that signs receipts, and the public halves (`x` of a JWK) of earlier keys. The key is stored on a
 * server, so it must not belong to an account that holds money.
 */
function readReceipts(reading: Reading, payee: Payee, production: boolean): Receipts {
  const [key, ...retired] = reading.list('RECEIPT_KEYS', MOST_RECEIPT_KEYS);
  for (const [index, entry] of retired.entries())
    if (!/^[\w-]{43}$/.test(entry))
      reading.fault(
        'RECEIPT_KEYS',
        `entry ${index + 2} must be the 43 characters of x in /.well-known/did.json`,
      );
  const fault = key === undefined ? null : receiptKeyFault(key, payee, production);
  if (fault !== null) reading.fault('RECEIPT_KEYS', fault);
  return { receiptKey: key === undefined ? null : new Secret(key), retiredReceiptKeys: retired };
}

function receiptKeyFault(key: string, { payTo, relayer }: Payee, production: boolean): string | null {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) return 'entry 1 must be 0x and 64 hexadecimal digits';
  const account = addressOfKey(key);
  if (account === null) return null;
  if (account === payTo) return 'entry 1 is the key of PAY_TO; use a key of an account without money';
  if (account === relayer?.address) return 'entry 1 is RELAYER_KEY; use a key of an account without money';
  return production && publicAccounts.includes(account)
    ? 'entry 1 is a development key that is public'
    : null;
}

const MOST_RPC_URLS = 8;
const NOT_ENCRYPTED =
  'is not encrypted, so anyone on the network path could forge the answers; in production, use TLS, or a host on this machine or on a private network';

/**
 * Reads the nodes and the store of claims. In production, connections without TLS are allowed only on private networks.
 */
function readRemotes(reading: Reading, production: boolean): Remotes {
  const rpcUrls = reading.list('RPC_URLS', MOST_RPC_URLS, (entry) => {
    const url = webAddress(entry);
    if (typeof url === 'string') return url;
    return !production || isPrivateChannel(url) || isPrivateHost(url.hostname) ? null : NOT_ENCRYPTED;
  });
  return { rpcUrls: rpcUrls.map((url) => new Secret(url)), redisUrl: readRedisUrl(reading, production) };
}

function readRedisUrl(reading: Reading, production: boolean): Secret | null {
  const text = reading.text('REDIS_URL');
  if (text === null) return null;
  const address = redisAddress(text);
  if (typeof address === 'string') return reading.fault('REDIS_URL', address);
  const isSafe = !production || address.isEncrypted || address.hosts.every(({ host }) => isPrivateHost(host));
  return isSafe ? new Secret(text) : reading.fault('REDIS_URL', NOT_ENCRYPTED);
}

const GWEI_DECIMALS = 9;
const SHORTEST_TOKEN = 16;

function readRisk(reading: Reading, hasChain: boolean): Risk {
  const confirmations = reading.whole('CONFIRMATIONS', 0, 64);
  if (confirmations > 0 && !hasChain)
    reading.fault('CONFIRMATIONS', 'needs RPC_URLS, because only a node can count blocks');
  return {
    gasGweiPerCent: reading.whole('MAX_GAS_GWEI_PER_CENT', 1, 100_000_000),
    gasBudgetGweiPerHour: readGwei(reading),
    confirmations,
  };
}

function readGwei(reading: Reading): number {
  const text = reading.text('GAS_BUDGET_ETH_PER_HOUR') ?? '';
  const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const gwei = whole === undefined ? 0 : Number(whole + decimals.padEnd(GWEI_DECIMALS, '0'));
  if (gwei === 0 && !reading.isFaulty('GAS_BUDGET_ETH_PER_HOUR'))
    reading.fault('GAS_BUDGET_ETH_PER_HOUR', 'must be an amount of ETH over 0 and below 100, such as 0.02');
  return gwei;
}

/** The token that unlocks restricted details. If null, no caller can see them. */
function readToken(reading: Reading): Secret | null {
  const text = reading.text('OPERATOR_TOKEN');
  if (text === null) return null;
  if (!/^[\x21-\x7e]+$/.test(text) || text.length < SHORTEST_TOKEN)
    return reading.fault('OPERATOR_TOKEN', `must have at least ${SHORTEST_TOKEN} characters, without spaces`);
  return new Secret(text);
}

const MOST_RANGES = 64;
// No operator needs a wider range than 10.0.0.0/8, the widest private range of IPv4. Without this limit, a list of
// wide ranges could trust every address.
const WIDEST_PREFIX = { 4: 8, 6: 16 } as const;
// Unique local addresses are private as a whole.
const UNIQUE_LOCAL = /^f[cd][0-9a-f]{2}:/i;

function readTrustedProxies(reading: Reading): readonly AddressRange[] {
  return reading.list('TRUSTED_PROXIES', MOST_RANGES).flatMap((entry, index) => {
    const range = rangeOf(entry);
    if (typeof range !== 'string') return [range];
    reading.fault('TRUSTED_PROXIES', `entry ${index + 1} ${range}`);
    return [];
  });
}

/** The range that a CIDR or a single address names, or what is wrong with it. */
function rangeOf(entry: string): AddressRange | string {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(prefix <= widest)) return 'is not an IP address or a CIDR range';
  const shortest = version === 6 ? (UNIQUE_LOCAL.test(address) ? 7 : WIDEST_PREFIX[6]) : WIDEST_PREFIX[4];
  if (prefix < shortest)
    return `is wider than /${shortest}: callers in it could choose their own address; list only the ranges of the proxies`;
  // Callers' IPv4-mapped addresses are read as IPv4, so such a range would never match anything.
  if (/^::ffff:/i.test(address)) return 'is an IPv4 range in IPv6 notation; write the IPv4 range';
  return Object.freeze({ address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' });
}

function readCdpApiKey(reading: Reading): Config['cdpApiKey'] {
  const id = reading.text('CDP_API_KEY_ID');
  const secret = reading.text('CDP_API_KEY_SECRET');
  const fault = secret === null ? null : cdpSecretFault(secret);
  if (fault !== null) reading.fault('CDP_API_KEY_SECRET', fault);
  if (id !== null && secret !== null) return { id: new Secret(id), secret: new Secret(secret) };
  for (const [own, other] of [
    ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET'],
    ['CDP_API_KEY_SECRET', 'CDP_API_KEY_ID'],
  ] as const)
    if (reading.isSet(other) && !reading.isSet(own) && !reading.isFaulty(own))
      reading.fault(own, `is missing although ${other} is set`);
  return null;
}

function readContactEmail(reading: Reading): string | null {
  const text = reading.text('CONTACT_EMAIL');
  if (text === null || /^(?=.{3,254}$)[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) return text;
  return reading.fault('CONTACT_EMAIL', 'must be one email address');
}

/**
 * The secret for the names of callers in Redis. All instances of a deployment have it, and Redis never sees it. The
 * first of these settings that is set is used, so an upgrade that adds a later one changes nothing. Null if none is
 * set.
 */
export const callerSecretOf = ({ receiptKey, cdpApiKey }: Config): string | null =>
  (receiptKey ?? cdpApiKey?.secret)?.reveal() ?? null;
