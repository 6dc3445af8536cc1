import { networks } from '../domain/networks.ts';

/** One setting of the environment: its default and its description. */
export type Setting = {
  readonly name: string;
  /** The default; null if there is none. */
  readonly fallback: string | null;
  /** The default in words, if it is not a fixed value in `fallback`. */
  readonly fallbackText?: string;
  readonly meaning: string;
  /** A well-formed value, for `.env.example`. */
  readonly example?: string;
  /** The value may also be in a file that `<name>_FILE` names. */
  readonly secret?: true;
  /** The group that lists the setting. `money`: a service with real money needs it, or may need it. */
  readonly group: 'money' | 'server' | 'gas' | 'listing' | 'monitoring';
};

const networkChoices = Object.values(networks).map(
  ({ caip2, name, isForStaging }) => `\`${caip2}\` (${name}${isForStaging ? ', for staging' : ''})`,
);

/** Every setting, in the order of `.env.example`. */
export const settingsTable = [
  {
    name: 'SETTLERS',
    group: 'money',
    fallback: 'embedded',
    meaning:
      'Settlers that handle payments, in order of preference, separated by commas: `local` (your own key and RPC node), `cdp`, `payai`, or the URL of an x402 facilitator. `embedded` is a play-money chain. It must be the only entry, and production refuses it.',
    example: 'local,cdp,payai',
  },
  {
    name: 'PAY_TO',
    group: 'money',
    fallback: null,
    fallbackText: 'the payee of the embedded chain',
    meaning:
      'Address that receives the USDC. Use a new one for each deployment. Otherwise, a payment to this address elsewhere could be used here. Required for real money, not allowed with the embedded chain, and never the address of a relayer key.',
    example: '0xYourAddress',
  },
  {
    name: 'PUBLIC_BASE_URL',
    group: 'money',
    fallback: null,
    fallbackText: 'http://HOST:PORT',
    meaning: 'Origin at which callers reach the service, without a path. Production requires https.',
    example: 'https://calc.example',
  },
  {
    name: 'RPC_URLS',
    group: 'money',
    fallback: null,
    meaning:
      'JSON-RPC endpoints of the network in order of preference, separated by commas. Plain http is allowed only for hosts on the same machine or a private network. Required for `local`. With hosted settlers, the service uses them to check payments on the chain.',
    example: 'https://rpc.example/your-key',
    secret: true,
  },
  {
    name: 'RELAYER_KEY',
    group: 'money',
    fallback: null,
    meaning:
      'Private key of the account that pays for gas with `local`. Required for `local`. Keep only a few dollars of ETH in this account. Give each instance its own key.',
    example: '0xYourPrivateKey',
    secret: true,
  },
  {
    name: 'CDP_API_KEY_ID',
    group: 'money',
    fallback: null,
    meaning: 'API key ID of the Coinbase Developer Platform. Required for `cdp`.',
    example: 'your-key-id',
    secret: true,
  },
  {
    name: 'CDP_API_KEY_SECRET',
    group: 'money',
    fallback: null,
    meaning: 'API key secret of the Coinbase Developer Platform. Required for `cdp`.',
    example: 'your-key-secret',
    secret: true,
  },
  {
    name: 'REDIS_URL',
    group: 'money',
    fallback: null,
    fallbackText: 'in memory',
    meaning:
      'Redis or Valkey for claims and rate limits. Required when more than one instance runs. `redis://user:password@host:6379` or `redis+sentinel://user:password@host:26379,host:26379/mymaster`. For TLS, write `rediss`. TLS is required except for hosts on the same machine and on private networks.',
    example: 'redis://127.0.0.1:6379',
    secret: true,
  },
  {
    name: 'TRUSTED_PROXIES',
    group: 'money',
    fallback: null,
    fallbackText: 'none trusted',
    meaning:
      "Addresses or CIDR ranges of your own reverse proxies, separated by commas. The caller's address in X-Forwarded-For is trusted only from them.",
    example: '10.0.0.0/8,fd00::/8',
  },
  { name: 'PORT', group: 'server', fallback: '4021', meaning: 'TCP port to listen on, 1 to 65535.' },
  { name: 'HOST', group: 'server', fallback: '127.0.0.1', meaning: 'Address or host name to listen on.' },
  {
    name: 'DRAIN_DELAY_SECONDS',
    group: 'server',
    fallback: '0',
    meaning:
      'Seconds to keep accepting connections after SIGTERM while `/readyz` is 503, 0 to 300. Set it if your load balancer needs time to stop sending requests.',
  },
  { name: 'NETWORK', group: 'gas', fallback: 'eip155:8453', meaning: `${networkChoices.join(' or ')}.` },
  {
    name: 'MAX_GAS_GWEI_PER_CENT',
    group: 'gas',
    fallback: '10000',
    meaning:
      'Maximum gas cost for each cent of revenue with `local`, in gwei. Above this, sales of that product pause until gas is cheaper. At 3,200 USD per ETH, 10000 allows about three cents of gas for each cent of revenue. For smart-contract wallets and delegated accounts, the maximum is a third of this value.',
  },
  {
    name: 'GAS_BUDGET_ETH_PER_HOUR',
    group: 'gas',
    fallback: '0.02',
    meaning:
      'Maximum ETH that `local` spends on gas in any hour. When it is spent, payments are refused. Reverted payments from smart-contract wallets and delegated accounts can use at most a quarter, and those from other buyers another quarter. All payments from smart-contract wallets and delegated accounts together can use at most half.',
  },
  {
    name: 'CONFIRMATIONS',
    group: 'gas',
    fallback: '0',
    meaning:
      'Number of blocks to wait for after the block with the transfer, 0 to 64. With 0, the answer is sent as soon as a block contains the transfer. On Base, each block takes two seconds. Needs RPC_URLS.',
  },
  {
    name: 'X402_OWNERSHIP_PROOF',
    group: 'listing',
    fallback: null,
    meaning:
      'Signature (personal_sign) over the PUBLIC_BASE_URL origin, made with the key of PAY_TO. Some catalogs require it.',
    example: '0xYourSignature',
  },
  {
    name: 'RECEIPT_KEYS',
    group: 'listing',
    fallback: null,
    fallbackText: 'receipts are not signed; the embedded chain generates a key',
    meaning:
      'Key that signs receipts, so that buyers can prove their purchases: 0x and 64 random hexadecimal digits. Use this key for nothing else. Its public key is in `/.well-known/did.json`. To replace it, list the new key first, and then the public key (`x` in that document) of each earlier one, separated by commas.',
    example: '0xYourReceiptKey',
    secret: true,
  },
  {
    name: 'REFERENCE_RATES',
    group: 'listing',
    fallback: null,
    fallbackText: 'the rates of the release',
    meaning:
      'Reference rates for statutory interest that this release does not have yet, separated by commas: `GB` (Bank Rate) or `EU` (main refinancing rate of the ECB), the first day of the half-year, and the rate in percent. Each entry replaces the release’s rate for the same half-year. Use the same value on all instances.',
    example: 'GB 2027-01-01 3.75,EU 2027-01-01 2.40',
  },
  {
    name: 'FREE_REQUESTS_PER_MINUTE',
    group: 'server',
    fallback: '30',
    meaning:
      'Maximum free requests from one IP address per minute, 1 to 1000000. The limit on refused payments is four times as high. Above a limit, the response is 429.',
  },
  {
    name: 'CONTACT_EMAIL',
    group: 'listing',
    fallback: null,
    fallbackText: 'none shown',
    meaning: 'Email address for questions, shown wherever the service describes itself.',
    example: 'hello@calc.example',
  },
  {
    name: 'OPERATOR_TOKEN',
    group: 'monitoring',
    fallback: null,
    fallbackText: 'nobody can see them',
    meaning:
      'Bearer token for operators, at least 16 characters. It unlocks the metrics and the reasons on `/healthz` and `/readyz`.',
    example: 'a-long-random-text',
    secret: true,
  },
  {
    name: 'METRICS_ADDRESS',
    group: 'monitoring',
    fallback: null,
    fallbackText: 'not measured',
    meaning:
      'Address and TCP port of `GET /metrics`, which returns the Prometheus text format. If other machines can reach it, `OPERATOR_TOKEN` is required.',
    example: '127.0.0.1:9464',
  },
  {
    name: 'LOG_LEVEL',
    group: 'monitoring',
    fallback: 'info',
    meaning: '`debug`, `info`, `warn`, `error` or `silent`.',
  },
  {
    name: 'NODE_ENV',
    group: 'server',
    fallback: null,
    fallbackText: 'production with real money, else development',
    meaning: '`production` or `development`. Production refuses play money and plain http.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settingsTable)[number]['name'];
