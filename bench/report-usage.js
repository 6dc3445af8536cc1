import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes still in use after garbage collection. */
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

// Preloaded into a server under test: reports its resource use over the IPC channel.
process.on('message', (question) => {
  process.send?.({ question, answer: answers[question]() });
});
// The channel must not keep a server alive by itself.
process.channel?.unref();
