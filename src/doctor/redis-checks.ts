import { createClient } from 'redis';
import { type Finding, fail, ok, originOnly, warn } from './finding.ts';

const DEADLINE_MS = 3_000;
const LEAST_VERSION = 7;

/** Whether a Redis or Valkey can be trusted to remember which payments bought what. */
export async function checkRedis(url: string): Promise<readonly Finding[]> {
  const what = `REDIS_URL ${originOnly(url)}`;
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: DEADLINE_MS, reconnectStrategy: false },
  });
  // A broken connection shows in the command under way.
  client.on('error', () => undefined);
  try {
    await within(client.connect());
    const facts = factsOf(String(await within(client.sendCommand(['INFO']))));
    await within(client.sendCommand(['EVAL', 'return 1', '0']));
    return [version(what, facts), role(what, facts), eviction(what, facts), persistence(what, facts)];
  } catch (error) {
    const says = `cannot be used (${codeOf(error)})`;
    return [fail(what, says, 'Check address, user, password and TLS, and that INFO and EVAL are permitted')];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

type Facts = (name: string) => string;

const factsOf =
  (info: string): Facts =>
  (name) =>
    new RegExp(`^${name}:([^\\r\\n]*)`, 'm').exec(info)?.[1] ?? '';

function version(what: string, fact: Facts): Finding {
  const valkey = fact('valkey_version');
  const redis = fact('redis_version');
  const says = `answers, ${valkey === '' ? `Redis ${redis}` : `Valkey ${valkey}`}`;
  return Number.parseInt(valkey || redis, 10) >= LEAST_VERSION
    ? ok(what, says)
    : fail(what, says, `Use Redis ${LEAST_VERSION} or Valkey, or newer`);
}

function role(server: string, fact: Facts): Finding {
  const what = `${server}, role`;
  return fact('role') === 'master'
    ? ok(what, 'takes writes')
    : fail(what, 'a replica, which takes no writes', 'Name the primary, or an address that fails over to it');
}

function eviction(server: string, fact: Facts): Finding {
  const what = `${server}, maxmemory-policy`;
  const policy = fact('maxmemory_policy');
  if (policy === 'noeviction') return ok(what, policy);
  const todo = 'Set it to noeviction: a claim that is evicted could be bought with again';
  return ['', '0'].includes(fact('maxmemory'))
    ? warn(what, `${policy || 'not told'}, without effect while maxmemory is 0`, todo)
    : fail(what, policy, todo);
}

function persistence(server: string, fact: Facts): Finding {
  const what = `${server}, persistence`;
  if (fact('aof_enabled') === '1') return ok(what, 'appendonly is on');
  return warn(
    what,
    'appendonly is off',
    'Set appendonly yes: after a restart without its data, buyers who lost a reply cannot collect it elsewhere',
  );
}

/** Errors of the server begin with their code, Node's have one; anything else could quote the URL. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'LOST';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^([A-Z]{2,20}) /.exec(error.message)?.[1] ?? 'LOST';
}

async function within<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('TIMEOUT after 3 s')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
