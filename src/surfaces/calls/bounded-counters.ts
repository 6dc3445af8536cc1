import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface BoundedCountersOptions {
  readonly points: number;
  readonly windowSeconds: number;
  /** The most counters that are ever held, two or more. */
  readonly maxKeys: number;
}

type Counted = { -readonly [Name in keyof RateLimiterRes]: RateLimiterRes[Name] };
type Memory = { incrby(key: string, points: number, seconds: number): Counted };

/**
 * Fixed-window counters in memory that a flood of keys can neither grow nor reset.
 *
 * Three quarters of `maxKeys` are exact, one for each key. While those are all in use, new keys share the remaining
 * quarter by a secret hash. No counter is ever evicted, so a spent key stays spent; nobody is ever given more than
 * `points`; a newcomer during a flood gets less only when others hashed to its counter have used it up, which for all
 * counters takes `points` x `maxKeys` / 4 requests in a window. A key that began in a shared counter stays there until
 * that counter's window ends, so that room in the exact part does not give it a second allowance.
 */
export class BoundedCounters extends RateLimiterMemory {
  readonly #exactKeys: number;
  readonly #sharedKeys: number;
  readonly #windowMs: number;
  // Its own counters answer at once; its methods promise what they have.
  readonly #memory = (this as unknown as { readonly _memoryStorage: Memory })._memoryStorage;
  // Windows have one length, so the order in which they began, a Map's own order, is the order in which they end.
  readonly #exact = new Map<string, number>();
  readonly #shared = new Map<string, number>();
  // Secret, so that nobody can choose keys that fill a victim's shared counter.
  readonly #salt = randomBytes(16);

  constructor({ points, windowSeconds, maxKeys }: BoundedCountersOptions) {
    super({ points, duration: windowSeconds, keyPrefix: '' });
    this.#sharedKeys = Math.max(1, Math.floor(maxKeys / 4));
    this.#exactKeys = Math.max(1, maxKeys - this.#sharedKeys);
    this.#windowMs = windowSeconds * 1000;
  }

  override consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = this.counted(`${key}`, points);
    return counted.consumedPoints > this.points ? Promise.reject(counted) : Promise.resolve(counted);
  }

  /** Counts at once; the key is over when it has consumed more than `points`. */
  counted(key: string, points = 1): RateLimiterRes {
    const now = performance.now();
    const { counter, began } = this.#counterOf(key, now);
    if (!began.has(counter)) began.set(counter, now);
    const counted = this.#memory.incrby(this.getKey(counter), points, this.duration);
    counted.remainingPoints = Math.max(0, this.points - counted.consumedPoints);
    return counted;
  }

  /** What stands on a key's counter, without counting; null when it has none. */
  override get(key: string | number): Promise<RateLimiterRes | null> {
    return super.get(this.#counterOf(`${key}`, performance.now()).counter);
  }

  #counterOf(key: string, now: number): { counter: string; began: Map<string, number> } {
    this.#forgetEnded(this.#exact, now);
    this.#forgetEnded(this.#shared, now);
    const shared = this.#exact.has(key) || !this.#needsSharing() ? null : this.#sharedName(key);
    const inShared = shared !== null && (this.#shared.has(shared) || this.#exact.size >= this.#exactKeys);
    return inShared ? { counter: shared, began: this.#shared } : { counter: key, began: this.#exact };
  }

  #needsSharing(): boolean {
    return this.#shared.size > 0 || this.#exact.size >= this.#exactKeys;
  }

  #sharedName(key: string): string {
    const hash = createHmac('sha256', this.#salt).update(key).digest().readUInt32BE();
    return `shared ${hash % this.#sharedKeys}`;
  }

  // The parent forgets its own counters, by a timer of the same length.
  #forgetEnded(began: Map<string, number>, now: number): void {
    for (const [counter, start] of began) {
      if (now - start < this.#windowMs) return;
      began.delete(counter);
    }
  }
}
