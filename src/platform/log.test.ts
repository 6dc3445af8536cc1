import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { countingRepeats, createLog, faultFields, type Log, type LogLevel, spellingsOf } from './log.ts';

const now = () => new Date('2026-11-21T10:00:00Z');

/** The lines that `use` has written, each parsed. */
function written(use: (log: Log) => void, level: LogLevel = 'debug'): Record<string, unknown>[] {
  return raw(use, level).map((line) => JSON.parse(line));
}

function raw(use: (log: Log) => void, level: LogLevel = 'debug'): string[] {
  const lines: string[] = [];
  use(createLog({ level, write: (line) => lines.push(line), now }));
  return lines;
}

/** A log for code that has bypassed its types. */
type Untyped = { info(event: string, fields?: unknown): void };
const untyped = (log: Log) => log as unknown as Untyped;

test('a log line is one JSON object with time, level, event and the fields of the event', () => {
  const lines = raw((log) =>
    log.info('request', {
      operation: 'late_fee',
      outcome: 'served',
      duration_ms: 1.23456,
    }),
  );
  expect(lines).toEqual([
    '{"time":"2026-11-21T10:00:00.000Z","level":"info","event":"request","operation":"late_fee","outcome":"served","duration_ms":1.235}\n',
  ]);
});

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('a log at level %s has lines of the levels %j', (level, levels) => {
  const lines = written((log) => {
    log.debug('stopped', { duration_ms: 1 });
    log.info('stopped', { duration_ms: 1 });
    log.warn('stopped', { duration_ms: 1 });
    log.error('stopped', { duration_ms: 1 });
  }, level);
  expect(lines.map((line) => line.level)).toEqual(levels);
});

test('our own names are logged unchanged', () => {
  const transaction = `0x${'ab'.repeat(32)}`;
  const reason = 'invalid_exact_evm_payload_authorization_valid_before';
  expect(
    written((log) => {
      log.info('listening', {
        version: '2.0.0',
        origin: 'http://127.0.0.1:4021',
        network: 'eip155:8453',
        settlers: ['local', 'cdp'],
      });
      log.info('purchase', {
        operation: 'small_business_stack_report',
        outcome: 'refused',
        reason,
        transaction,
      });
      log.warn('settler_error', { settler: 'payai' });
      log.warn('redis', { code: 'UND_ERR_CONNECT_TIMEOUT' });
      log.info('stopped', { complete: true });
    }),
  ).toMatchObject([
    {
      version: '2.0.0',
      origin: 'http://127.0.0.1:4021',
      network: 'eip155:8453',
      settlers: ['local', 'cdp'],
    },
    { operation: 'small_business_stack_report', outcome: 'refused', reason, transaction },
    { settler: 'payai' },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
    { complete: true },
  ]);
});

test('a signal is logged by its name', () => {
  expect(written((log) => log.info('draining', { reason: 'SIGTERM', open_requests: 0 }))).toMatchObject([
    { reason: 'SIGTERM', open_requests: 0 },
  ]);
});

test('an absent field is left out of a log line', () => {
  expect(written((log) => log.info('request', { operation: null, duration_ms: undefined }))).toEqual([
    { time: '2026-11-21T10:00:00.000Z', level: 'info', event: 'request' },
  ]);
});

describe('foreign content in a log line', () => {
  test.each([
    ['an IPv4 address', '203.0.113.7'],
    ['an IPv6 address', 'fe80::1'],
    ['an IPv6 network', '2001:db8:0:0::/64'],
    ['an account', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['a private key', `0x${'17'.repeat(32)}`],
    ['a key without prefix', 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'],
    ['a key id', '3f2a9b1c-77aa-4e0d-9c51-0d2b6a7e8f90'],
    ['base64', 'eyJ4NDAyVmVyc2lvbiI6Mn0='],
    ['a URL', 'https://rpc.example/v2/KEY'],
    ['an e-mail address', 'jane@example.com'],
    ['a name', 'Jane Doe'],
    ['a query', 'amount=1250&due_date=2026-10-01'],
    ['a date', '2026-10-01'],
    ['an amount', '1250.00'],
    ['a line break', 'late_fee\n{"event":"forged"}'],
    ['a long text', 'a_'.repeat(200)],
    ['nothing', ''],
    ['a number', 7],
    ['an object', { toJSON: () => 'late_fee' }],
    ['a list', ['late_fee']],
  ])('is removed if it is %s', (_, value) => {
    const [line] = written((log) => untyped(log).info('request', { operation: value }));
    expect(line).toEqual({
      time: '2026-11-21T10:00:00.000Z',
      level: 'info',
      event: 'request',
      operation: '[removed]',
    });
  });

  test.each([
    ['https://user:MARKED@rpc.example:8443/v2/MARKED?key=MARKED#MARKED', 'https://rpc.example:8443'],
    ['redis://:MARKED@127.0.0.1:6379/0', 'redis://127.0.0.1:6379'],
    ['MARKED', '[removed]'],
    ['data:text/plain,MARKED', '[removed]'],
    ['file:///MARKED', '[removed]'],
  ])('is removed except for the scheme and host of the address %s', (origin, shown) => {
    expect(written((log) => log.info('embedded_chain', { origin }))).toMatchObject([{ origin: shown }]);
  });

  test('is removed if it is a number that is not finite, an unknown field or an unknown event', () => {
    const lines = raw((log) => {
      log.info('stopped', { duration_ms: Number.NaN });
      log.info('payee_shared', { count: Number.POSITIVE_INFINITY });
      log.info('draining', { open_requests: -1e13 });
      untyped(log).info('payee_shared', { count: '200', body: 'MARKED', MARKED: 1, constructor: 'MARKED' });
      untyped(log).info('MARKED', { status: 200 });
      untyped(log).info('toString', { status: 200 });
      untyped(log).info('listening', { settlers: ['local', 'MARKED'], toString: 'MARKED' });
    });
    expect(lines.join('')).not.toContain('MARKED');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { duration_ms: '[removed]' },
      { count: '[removed]' },
      { open_requests: '[removed]' },
      { count: '[removed]' },
      { event: '[removed]' },
      { event: '[removed]' },
      { settlers: ['local', '[removed]'] },
    ]);
  });

  test('never remains: any input gives one line of JSON whose texts are lower-case names or [removed]', () => {
    const fields = fc.dictionary(
      fc.constantFrom('operation', 'outcome', 'reason', 'duration_ms', 'extra'),
      fc.anything(),
    );
    fc.assert(
      fc.property(fields, (given) => {
        const [line = ''] = raw((log) => untyped(log).info('purchase', given));
        expect(line.indexOf('\n')).toBe(line.length - 1);
        const { time, level, event, duration_ms, ...words } = JSON.parse(line);
        expect([time, level, event]).toEqual(['2026-11-21T10:00:00.000Z', 'info', 'purchase']);
        expect(
          duration_ms === undefined || duration_ms === '[removed]' || typeof duration_ms === 'number',
        ).toBe(true);
        for (const word of Object.values(words))
          expect(word).toMatch(/^(\[removed\]|[a-z][a-z0-9_:-]{0,119})$/);
      }),
    );
  });
});

describe('the log of an exception', () => {
  test('has its class, code and location, but never its message', () => {
    const error = Object.assign(new TypeError('MARKED'), { code: 'ERR_INVALID_URL' });
    const [line] = written((log) => log.error('fault', { where: 'exchange', ...faultFields(error) }));
    expect(line).toMatchObject({ where: 'exchange', name: 'TypeError', code: 'ERR_INVALID_URL' });
    expect(line?.at).toMatch(/^platform\/log\.test\.ts:\d+:\d+$/);
    expect(JSON.stringify(line)).not.toContain('MARKED');
  });

  test('does not mistake a message for a code location', () => {
    for (const root of spellingsOf(import.meta.url)) {
      const error = new Error(`x\n    at marked (${root}marked.ts:1:1)`);
      expect(faultFields(error).at).toMatch(/^platform\/log\.test\.ts:/);
    }
  });

  test.each([
    ['file:///calc/dist/platform/log.js', 'file:///calc/dist/exchange/exchange.js:42:7'],
    [
      'file:///B%C3%BCro%20100%25/dist/platform/log.js',
      'file:///B%C3%BCro%20100%25/dist/exchange/exchange.js:42:7',
    ],
    ['file:///B%C3%BCro%20100%25/dist/platform/log.js', '/Büro 100%/dist/exchange/exchange.js:42:7'],
    ['file:///C:/calc/dist/platform/log.js', 'file:///C:/calc/dist/exchange/exchange.js:42:7'],
    ['file:///C:/calc/dist/platform/log.js', 'C:\\calc\\dist\\exchange\\exchange.js:42:7'],
  ])(
    'leaves out the folders above the code, with the log module at %s and the error at %s',
    (moduleUrl, place) => {
      const error = new Error('MARKED');
      error.stack = `Error: MARKED\n    at node:internal/x:1:1\n    at run (${place})\n    at next (${place.replace('42', '9')})`;
      expect(faultFields(error, spellingsOf(moduleUrl)).at).toBe('exchange/exchange.js:42:7');
    },
  );

  test('names the exception even if that is not an Error or has no stack', () => {
    expect(faultFields('MARKED')).toEqual({ name: 'NotAnError' });
    const bare = new RangeError('MARKED');
    delete bare.stack;
    expect(faultFields(bare)).toEqual({ name: 'RangeError', code: null, at: undefined });
  });
});

describe('repeated refusals in the log', () => {
  const refused = { operation: 'quote_pack', outcome: 'not_sent', reason: 'no_gas_money' } as const;

  function minutes(level: LogLevel, times: readonly number[]) {
    vi.useFakeTimers();
    try {
      return written((log) => {
        const write = countingRepeats(log);
        for (const many of times) {
          for (let done = 0; done < many; done += 1)
            write('info', 'purchase', { ...refused, duration_ms: done, request_id: null });
          vi.advanceTimersByTime(60_000);
        }
      }, level).map(({ duration_ms: ms, count }) => [ms, count]);
    } finally {
      vi.useRealTimers();
    }
  }

  test('are written once, and then counted in one line a minute until they end', () => {
    expect(minutes('info', [500, 3, 0, 1])).toEqual([
      [0, undefined],
      [undefined, 499],
      [undefined, 3],
      [0, undefined],
    ]);
  });

  test('are all written at debug', () => {
    expect(minutes('debug', [3])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [undefined, 2],
    ]);
  });

  test('are counted by their reason', () => {
    const lines = written((log) => {
      const write = countingRepeats(log);
      for (const reason of ['no_gas_money', 'busy', 'busy']) write('warn', 'settlement', { reason });
    }, 'info');
    expect(lines.map(({ reason }) => reason)).toEqual(['no_gas_money', 'busy']);
  });
});

test('log lines that could not be written are counted', () => {
  let isFull = false;
  const log = createLog({ level: 'info', write: (_line, onLost) => void (isFull && onLost()) });
  log.info('stopped');
  expect(log.lost()).toBe(0);
  isFull = true;
  log.info('stopped');
  log.debug('stopped');
  expect(log.lost()).toBe(1);
});
