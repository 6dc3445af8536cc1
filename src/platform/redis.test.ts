import { expect, test } from 'vitest';
import { redisAddress, redisName } from './redis.ts';

const plain = { isEncrypted: false, credentials: {}, sentinelCredentials: {}, database: 0, group: null };

test.each([
  ['redis://127.0.0.1', { ...plain, kind: 'server', hosts: [{ host: '127.0.0.1', port: 6379 }] }],
  [
    'rediss://me:p%40ss@[fd00::1]:6380/3',
    {
      ...plain,
      kind: 'server',
      isEncrypted: true,
      hosts: [{ host: 'fd00::1', port: 6380 }],
      credentials: { username: 'me', password: 'p@ss' },
      database: 3,
    },
  ],
  [
    'redis://:secret@host/',
    { ...plain, kind: 'server', hosts: [{ host: 'host', port: 6379 }], credentials: { password: 'secret' } },
  ],
  [
    'redis+sentinel://a,b:26380,[::1]/mymaster/2?sentinel_username=s&sentinel_password=p%26q',
    {
      ...plain,
      kind: 'sentinel',
      hosts: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
        { host: '::1', port: 26_379 },
      ],
      database: 2,
      group: 'mymaster',
      sentinelCredentials: { username: 's', password: 'p&q' },
    },
  ],
])('%s names the Redis in which claims are shared', (text, address) => {
  expect(redisAddress(text)).toEqual(address);
});

test.each([
  ['http://redis', 'must be a redis:// or rediss:// URL'],
  ['redis+other://a', 'must be a redis:// or rediss:// URL'],
  ['redis://', 'must be a redis:// or rediss:// URL'],
  ['redis://a:b:c', 'must name at most 16 hosts, each as host:port'],
  ['redis+sentinel://a,,b/g', 'must name at most 16 hosts, each as host:port'],
  ['redis+sentinel://a:0/g', 'must name at most 16 hosts, each as host:port'],
  [
    `redis+sentinel://${Array.from({ length: 17 }, (_, n) => `h${n}`)}/g`,
    'must name at most 16 hosts, each as host:port',
  ],
  ['redis://a,b', 'names several hosts, which only redis+sentinel:// does'],
  [
    'redis+sentinel://a,b',
    'lacks the name of the group that the sentinels watch, as in redis+sentinel://host:26379,host:26379/mymaster',
  ],
  [
    'redis+cluster://a,b',
    'names a Redis Cluster, which is not supported; use a single server or redis+sentinel://',
  ],
  ['redis+sentinel://a/g/x', 'has a path that is not the number of a database'],
  ['redis+sentinel://a/g/1/2', 'has a path that is not the number of a database'],
  ['redis://a/x', 'has a path that is not the number of a database'],
  ['redis://%E0%A4%A@a', 'has a user name or password that is not percent-encoded'],
])('%s is refused as a Redis address without being quoted', (text, fault) => {
  expect(redisAddress(text)).toBe(fault);
});

test('only the hosts of a Redis address are shown', () => {
  const nameOf = (text: string) => {
    const address = redisAddress(text);
    return typeof address === 'string' ? address : redisName(address);
  };
  expect(nameOf('rediss://u:p@[::1]/2')).toBe('rediss://[::1]:6379');
  expect(nameOf('redis+sentinel://u:p@a,b:1/group?sentinel_password=p')).toBe('redis+sentinel://a:26379,b:1');
});
