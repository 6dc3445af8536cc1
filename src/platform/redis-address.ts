import { parseUrl } from '../domain/url.ts';

/** A host and its port. */
export type RedisHost = { readonly host: string; readonly port: number };
type Credentials = { readonly username?: string; readonly password?: string };

/** The Redis for claims and limits: this server, or the one that these sentinels name for the group. */
export type RedisAddress = {
  readonly kind: 'server' | 'sentinel';
  /** At least one; exactly one for `server`. */
  readonly hosts: readonly RedisHost[];
  readonly isEncrypted: boolean;
  readonly credentials: Credentials;
  readonly database: number;
  /** The name of the group that the sentinels watch; null without sentinels. */
  readonly group: string | null;
  readonly sentinelCredentials: Credentials;
};

const PORTS = { server: 6379, sentinel: 26_379 } as const;
const MOST_HOSTS = 16;
const FORM =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^:@/?#]*):?([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Reads `redis://user:password@host:port/database` or `redis+sentinel://…@host:port,host:port/group/database`, each
 * with `rediss` for TLS. If sentinels have their own password, it is `?sentinel_password=`, with `sentinel_username`.
 * Otherwise returns what is wrong, without quoting the text.
 */
export function redisAddress(text: string): RedisAddress | string {
  const [, scheme, how = 'server', user = '', secret = '', list = '', path = '', query = ''] =
    FORM.exec(text) ?? [];
  const kind = how as RedisAddress['kind'];
  if (scheme === undefined) return 'must be a redis:// or rediss:// URL';
  if (how === 'cluster')
    return 'names a Redis Cluster, which is not supported; use a single server or redis+sentinel://';
  const hosts = list.split(',').map((entry) => hostOf(entry, PORTS[kind]));
  if (!hosts.every((host) => host !== null) || hosts.length > MOST_HOSTS)
    return `must name at most ${MOST_HOSTS} hosts, each as host:port`;
  if (kind === 'server' && hosts.length > 1) return 'names several hosts, which only redis+sentinel:// does';
  const [group = '', rest, ...more] = kind === 'sentinel' ? path.split('/') : ['', path];
  if (kind === 'sentinel' && group === '')
    return 'lacks the name of the group that the sentinels watch, as in redis+sentinel://host:26379,host:26379/mymaster';
  const database = /^\d{0,5}$/.test(rest ?? '') && more.length === 0 ? Number(rest || 0) : null;
  if (database === null) return 'has a path that is not the number of a database';
  const own = credentialsOf(user, secret);
  const asked = new URLSearchParams(query);
  const sentinel = credentialsOf(asked.get('sentinel_username') ?? '', asked.get('sentinel_password') ?? '');
  if (own === null || sentinel === null) return 'has a user name or password that is not percent-encoded';
  return {
    kind,
    hosts,
    isEncrypted: scheme === 'rediss',
    credentials: own,
    database,
    group: kind === 'sentinel' ? decodeURIComponent(group) : null,
    sentinelCredentials: sentinel,
  };
}

/** The hosts of an address for people: no user, no password. */
export const redisName = ({ kind, hosts, isEncrypted }: RedisAddress): string =>
  `redis${isEncrypted ? 's' : ''}${kind === 'server' ? '' : `+${kind}`}://${hosts.map(hostName).join(',')}`;

/** A host with its port, as in a URL. */
export const hostName = ({ host, port }: RedisHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

function hostOf(entry: string, port: number): RedisHost | null {
  const url = parseUrl(`redis://${entry}`);
  if (url === null || url.hostname === '' || url.port === '0') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || port) };
}

function credentialsOf(username: string, password: string): Credentials | null {
  try {
    return {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    };
  } catch {
    return null;
  }
}
