import { type Network, networkIds, networks } from '../domain/networks.ts';
import { cdpSecretFault } from '../payments/facilitator/cdp-key.ts';
import { type Listening, readListening } from './listening.ts';
import { goneSettings, mistypedSettings } from './mistyped.ts';
import { type Payee, readPayee } from './payee.ts';
import { type Environment, type Fault, type Reading, readingOf } from './reading.ts';
import { type Receipts, readReceipts } from './receipts.ts';
import { readRegistryAuth } from './registry-auth.ts';
import { type Remotes, readRemotes } from './remotes.ts';
import { type Risk, readRisk, readToken } from './risk.ts';
import { Secret } from './secret.ts';
import { readSettlers, type SettlerChoice } from './settlers.ts';
import { type AddressRange, readTrustedProxies } from './trusted-proxies.ts';

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
    /** The text of /.well-known/mcp-registry-auth. */
    readonly mcpRegistryAuth: string | null;
    readonly trustedProxies: readonly AddressRange[];
    readonly freeRequestsPerMinute: number;
    readonly refusedPaymentsPerMinute: number;
    readonly coldProbe: 400 | 402;
    readonly contactEmail: string | null;
    /** The token that shows the reasons behind the service's health. */
    readonly healthToken: Secret | null;
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
    readonly production: boolean;
  };

/** `warnings` name variables that look like mistyped settings; they prevent nothing. */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Fault[] };

/** Reads the environment into a Config, or reports all faults at once. An empty value counts as absent. */
export function readConfig(env: Environment): ConfigReading {
  const reading = readingOf(env);
  // Production comes first: an unknown mode is checked by its strict rules, so that a typo relaxes nothing.
  const production = reading.choice('NODE_ENV', ['production', 'development', 'test']) === 'production';
  const network = networks[reading.choice('NETWORK', networkIds)];
  const settlers = readSettlers(reading, production);
  const listening = readListening(reading, production);
  const embedded = settlers.some((settler) => settler.kind === 'embedded');
  const payee = readPayee(reading, { embedded, production, network, origin: listening.publicBaseUrl });
  const remotes = readRemotes(reading, production);
  const config: Config = {
    ...listening,
    ...payee,
    ...readReceipts(reading, payee, production),
    mcpRegistryAuth: readRegistryAuth(reading),
    ...readRisk(reading, embedded || remotes.rpcUrls.length > 0),
    network,
    settlers,
    production,
    ...remotes,
    cdpApiKey: readCdpApiKey(reading),
    trustedProxies: readTrustedProxies(reading),
    freeRequestsPerMinute: reading.whole('FREE_REQUESTS_PER_MINUTE', 1, 1_000_000),
    refusedPaymentsPerMinute: reading.whole('REFUSED_PAYMENTS_PER_MINUTE', 1, 1_000_000),
    coldProbe: reading.choice('COLD_PROBE', ['400', '402']) === '402' ? 402 : 400,
    contactEmail: readContactEmail(reading),
    healthToken: readToken(reading, 'HEALTH_TOKEN'),
    logLevel: reading.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
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
  return reading.fault('CONTACT_EMAIL', 'must be one e-mail address');
}

function frozen(config: Config): Config {
  for (const part of Object.values(config)) if (typeof part === 'object') Object.freeze(part);
  return Object.freeze(config);
}
