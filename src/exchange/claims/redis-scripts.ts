import { script } from '../../platform/redis.ts';

// A claim is a hash: the fields of a Claim, `owner` (a token of the attempt that last wrote it), `at` (when, in
// milliseconds of the server's own clock, so that the clocks of instances play no part in a lease) and `since` (from
// when on claims were complete when it was opened).

const FIELDS = `'state', 'request', 'signature', 'today', 'transaction', 'expires'`;

const CLOCK = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** ARGV from `first`: owner, seconds to live, then the fields of the claim. */
const WRITE = `${CLOCK}
local function write(key, first)
  redis.call('HSET', key, 'owner', ARGV[first], 'at', string.format('%.0f', clock()),
    'state', ARGV[first + 2], 'request', ARGV[first + 3], 'signature', ARGV[first + 4],
    'today', ARGV[first + 5], 'transaction', ARGV[first + 6], 'expires', ARGV[first + 7],
    'claimed', ARGV[first + 8], 'operation', ARGV[first + 9], 'ready', ARGV[first + 10])
  redis.call('EXPIRE', key, ARGV[first + 1])
end
`;

const READ = `
local function read(key)
  local held = redis.call('HMGET', key, ${FIELDS}, 'owner', 'at', 'claimed', 'operation', 'ready')
  if not held[1] then return false end
  held[8] = string.format('%.0f', clock() - held[8])
  return held
end
`;

/**
 * KEYS: claim, completeness. ARGV: the lease in milliseconds, the process when it holds nothing under this key (else
 * empty), the server's present life, then as for `write`. `opened`, or the claim that stands with its owner and its
 * age. Taken over for the same request and signature: since when claims were complete as it was first opened. It was
 * nobody else's since, whatever was lost beside it.
 */
export const OPEN = script(`${WRITE}${READ}
local held = read(KEYS[1])
local inherited = false
if held then
  local is_over = tonumber(held[8]) >= tonumber(ARGV[1])
  local is_left = ARGV[2] ~= '' and string.sub(held[7], 1, #ARGV[2]) == ARGV[2]
  if held[1] ~= 'open' or not (is_over or is_left) then return held end
  if held[2] == ARGV[7] and held[3] == ARGV[8] then inherited = redis.call('HGET', KEYS[1], 'since') end
end
write(KEYS[1], 4)
local complete = redis.call('HMGET', KEYS[2], 'life', 'since')
local since = inherited or (complete[1] == ARGV[3] and complete[2])
if since then redis.call('HSET', KEYS[1], 'since', since) else redis.call('HDEL', KEYS[1], 'since') end
return inherited and tonumber(inherited) or 'opened'
`);

/** KEYS: claim. What stands there with its owner and its age, or nothing. */
export const FIND = script(`${CLOCK}${READ}
return read(KEYS[1])
`);

/**
 * KEYS: claim. ARGV: as for `write`. 1 when the claim now says so, -1 when it belongs to another request. What is gone
 * is not handed over any more: another instance may have taken it, and lost it, since.
 */
export const SAVE = script(`${WRITE}
local held = redis.call('HMGET', KEYS[1], 'state', 'request', 'signature', 'transaction', 'owner')
if not held[1] then
  if ARGV[3] == 'sent' then return 0 end
elseif held[2] ~= ARGV[4] or held[3] ~= ARGV[5] then
  return -1
elseif held[1] == 'settled' then
  return (ARGV[3] == 'settled' and held[4] == ARGV[7]) and 1 or 0
elseif held[1] == 'open' and held[5] ~= ARGV[1] then
  return 0
end
write(KEYS[1], 1)
return 1
`);

/** KEYS: claim. ARGV: as for `write`. Puts back what the server lost; what stands there stays, unless nothing was sent. */
export const RESTORE = script(`${WRITE}
local state = redis.call('HGET', KEYS[1], 'state')
if state and state ~= 'open' then return 0 end
write(KEYS[1], 1)
return 1
`);

/** KEYS: claim. ARGV: owner. */
export const DROP = script(`
local held = redis.call('HMGET', KEYS[1], 'state', 'owner')
if (held[1] == 'open' or held[1] == 'sent') and held[2] == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/**
 * KEYS: name, the claim that the caller thinks it is bound to. ARGV: that claim, then the fresh claim, its request and
 * the seconds to live. What the name is bound to, after whether that is certain: 0 asks to look at that claim too.
 */
export const NAME = script(`
local bound = redis.call('HMGET', KEYS[1], 'claim', 'request')
if bound[1] then
  if bound[1] ~= ARGV[1] then return {0, bound[1], bound[2]} end
  local state = redis.call('HGET', KEYS[2], 'state')
  if state and state ~= 'void' then return {1, bound[1], bound[2]} end
end
redis.call('HSET', KEYS[1], 'claim', ARGV[2], 'request', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return {1, ARGV[2], ARGV[3]}
`);

/** KEYS: name. What it is bound to, and its request. */
export const NAMED = script(`
return redis.call('HMGET', KEYS[1], 'claim', 'request')
`);

/**
 * KEYS: completeness. ARGV: the server's present life, our clock and a margin in seconds. Since when no claim was lost.
 *
 * A server that restarted may have lost its last second (an append-only file written every second), its last minutes (a
 * snapshot) or everything; one that was flushed has lost this key too; one that took over from another may lack what
 * that one had not passed on. In all these cases an authorization used before may have bought something already, and
 * what was used since is known. The later of two clocks counts, and blocks may be dated ahead by the margin.
 */
export const COMPLETE = script(`
local held = redis.call('HMGET', KEYS[1], 'life', 'since')
if held[1] == ARGV[1] and held[2] then return tonumber(held[2]) end
local since = math.max(tonumber(redis.call('TIME')[1]), tonumber(ARGV[2])) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], 'life', ARGV[1], 'since', string.format('%.0f', since))
return since
`);
