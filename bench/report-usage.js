import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Made once: each context of V8 is kept in the old space, which is measured.
let gc;
function collector() {
  setFlagsFromString('--expose-gc');
  gc ??= runInNewContext('gc');
  return gc;
}

/** What is still in use: all that is not has been collected first. */
function liveBytes() {
  collector()();
  return process.memoryUsage().heapUsed;
}

/** What V8 keeps until it collects the whole heap, in use or not. */
function oldBytes() {
  collector()({ type: 'minor' });
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
}

const answers = {
  /** Processor time used so far, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  residentBytes: () => process.memoryUsage.rss(),
  liveBytes,
  oldBytes,
};

// Preloaded into a server under test: tells over the IPC channel what it uses.
process.on('message', (question) => {
  process.send?.({ question, answer: answers[question]() });
});
// The channel alone must not keep a server alive.
process.channel?.unref();
