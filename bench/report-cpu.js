// Preloaded into a server under test: tells over the IPC channel how much processor time it used, in microseconds.
process.on('message', (message) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
// The channel alone must not keep a server alive.
process.channel?.unref();
