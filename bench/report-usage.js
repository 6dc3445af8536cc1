import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is still in use: all that is not has been collected first. */
function liveBytes() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

const answers = {
  /** Processor time used so far, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  residentBytes: () => process.memoryUsage.rss(),
  liveBytes,
};

// Preloaded into a server under test: tells over the IPC channel what it uses.
process.on('message', (question) => {
  process.send?.({ question, answer: answers[question]() });
});
// The channel alone must not keep a server alive.
process.channel?.unref();
