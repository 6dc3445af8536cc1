import { networks } from '../domain/networks.ts';

/** One setting of the environment: its default and its meaning for people. */
export type Setting = {
  readonly name: string;
  /** The default; null when there is none. */
  readonly fallback: string | null;
  /** The default in words, where `fallback` does not say it. */
  readonly fallbackText?: string;
  readonly meaning: string;
  /** A value of the right shape, for `.env.example`. */
  readonly example?: string;
  /** It may also stand in a file that `<name>_FILE` names. */
  readonly secret?: true;
  /** Listed first: what a service with real money needs. */
  readonly isNeeded?: true;
};

const networkChoices = Object.values(networks).map(
  ({ caip2, name, isForStaging }) => `\`${caip2}\` (${name}${isForStaging ? ', for staging' : ''})`,
);

/** Every setting there is, in the order in which the README and `.env.example` list them. */
export const settingsTable = [
  {
    name: 'SETTLERS',
    isNeeded: true,
    fallback: 'embedded',
    meaning:
      'Who settles payments, in order of preference, separated by commas: `local` (own key and RPC), `cdp`, `payai`, or the URL of an x402 facilitator. `embedded` is a chain of play money, alone, and refused in production.',
    example: 'local,cdp,payai',
  },
  {
    name: 'PAY_TO',
    isNeeded: true,
    fallback: null,
    fallbackText: 'the payee of the embedded chain',
    meaning:
      'Address that receives the USDC. Required for real money, refused with the embedded chain; never the address of a relayer key. It belongs to this deployment alone: a payment made to it elsewhere could buy an answer here.',
    example: '0xYourAddress',
  },
  {
    name: 'PUBLIC_BASE_URL',
    isNeeded: true,
    fallback: null,
    fallbackText: 'http://HOST:PORT',
    meaning: 'Origin under which callers reach the service, without a path. Must be https in production.',
    example: 'https://calc.example',
  },
  {
    name: 'RPC_URLS',
    isNeeded: true,
    fallback: null,
    meaning:
      'JSON-RPC endpoints of the network, in order of preference, separated by commas. Without TLS only on this machine or a private network. Required for `local`; with hosted settlers, their answers are checked against the chain.',
    example: 'https://rpc.example/your-key',
    secret: true,
  },
  {
    name: 'RELAYER_KEY',
    isNeeded: true,
    fallback: null,
    meaning:
      'Private key that pays the gas for `local`, required for it. Keep a few dollars of ETH on its account and nothing else. It belongs to one process: give each instance a key of its own.',
    example: '0xYourPrivateKey',
    secret: true,
  },
  {
    name: 'CDP_API_KEY_ID',
    isNeeded: true,
    fallback: null,
    meaning: 'Key id of the Coinbase Developer Platform. Required for `cdp`.',
    example: 'your-key-id',
    secret: true,
  },
  {
    name: 'CDP_API_KEY_SECRET',
    isNeeded: true,
    fallback: null,
    meaning: 'Key secret of the Coinbase Developer Platform. Required for `cdp`.',
    example: 'your-key-secret',
    secret: true,
  },
  {
    name: 'REDIS_URL',
    isNeeded: true,
    fallback: null,
    fallbackText: 'in memory',
    meaning:
      'Redis or Valkey that several instances share for claims and rate limits: `redis://user:password@host:6379` or `redis+sentinel://user:password@host:26379,host:26379/mymaster`; `rediss` instead of `redis` for TLS, required beyond this machine and private networks.',
    example: 'redis://127.0.0.1:6379',
    secret: true,
  },
  {
    name: 'TRUSTED_PROXIES',
    isNeeded: true,
    fallback: null,
    fallbackText: 'none trusted',
    meaning:
      'Addresses or CIDR ranges of your own reverse proxies, separated by commas. Only they may say in X-Forwarded-For who called.',
    example: '10.0.0.0/8,fd00::/8',
  },
  { name: 'PORT', fallback: '4021', meaning: 'TCP port to listen on, 1 to 65535.' },
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'Address or host name to listen on.' },
  {
    name: 'DRAIN_DELAY_SECONDS',
    fallback: '0',
    meaning:
      'Seconds for which connections are still taken after SIGTERM while `/readyz` is 503, for balancers that learn of the end late, 0 to 300.',
  },
  { name: 'NETWORK', fallback: 'eip155:8453', meaning: `${networkChoices.join(' or ')}.` },
  {
    name: 'MAX_GAS_GWEI_PER_CENT',
    fallback: '10000',
    meaning:
      'Gwei of ETH that `local` may spend on gas for each cent it sells; above, a product is not sold until gas is cheaper. It is the loss you accept: 10000 is about three cents for each cent sold, at 3,200 USD for an ETH. For smart-contract wallets and delegated accounts, a third of it.',
  },
  {
    name: 'GAS_BUDGET_ETH_PER_HOUR',
    fallback: '0.02',
    meaning:
      'ETH that `local` may spend on gas in any hour; when it is spent, payments are refused. A quarter of it may be lost on reverted payments of smart-contract wallets and delegated accounts, another quarter on those of other buyers. Sales to smart-contract wallets and delegated accounts use at most half of it in all.',
  },
  {
    name: 'CONFIRMATIONS',
    fallback: '0',
    meaning:
      'Blocks on top of a transfer before its answer is given, 0 to 64; 0 gives it with the block itself. Each costs two seconds on Base. Needs RPC_URLS.',
  },
  {
    name: 'X402_OWNERSHIP_PROOF',
    fallback: null,
    meaning:
      'Signature (personal_sign) of the PUBLIC_BASE_URL origin by the key of PAY_TO, for catalogues that ask for it.',
    example: '0xYourSignature',
  },
  {
    name: 'RECEIPT_KEYS',
    fallback: null,
    fallbackText: 'receipts are not signed; the embedded chain generates a key',
    meaning:
      'Key that signs receipts, so that a buyer can prove later what was paid for: 0x and 64 random hexadecimal digits that are used for nothing else and hold no money. Its public half is at `/.well-known/did.json`. To replace the key, write the new one first and the public half (`x` in that document) of each earlier key after it, separated by commas.',
    example: '0xYourReceiptKey',
    secret: true,
  },
  {
    name: 'FREE_REQUESTS_PER_MINUTE',
    fallback: '30',
    meaning:
      'Free requests that one address may make in a minute, 1 to 1000000. It may present four times as many refused payments before its payments are not looked at.',
  },
  {
    name: 'CONTACT_EMAIL',
    fallback: null,
    fallbackText: 'none shown',
    meaning: 'Address for questions, shown where the service describes itself.',
    example: 'hello@calc.example',
  },
  {
    name: 'OPERATOR_TOKEN',
    fallback: null,
    fallbackText: 'nobody can see them',
    meaning:
      'Token for operators, sent as `Authorization: Bearer`. With it `/healthz` and `/readyz` give the reasons for a problem, and the metrics can be read. At least 16 characters.',
    example: 'a-long-random-text',
    secret: true,
  },
  {
    name: 'METRICS_ADDRESS',
    fallback: null,
    fallbackText: 'not measured',
    meaning:
      'Address and TCP port on which `GET /metrics` answers in the text format of Prometheus. Where other machines may ask, `OPERATOR_TOKEN` is required.',
    example: '127.0.0.1:9464',
  },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: '`debug`, `info`, `warn`, `error` or `silent`.' },
  {
    name: 'NODE_ENV',
    fallback: null,
    fallbackText: 'production where money is real, else development',
    meaning: '`production` or `development`. Production refuses play money and plain http.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settingsTable)[number]['name'];
