import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a Node.js program to its end; returns its status (null after a signal) and the combined output of both streams.
 */
export async function outputOf(words, options = {}) {
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  return { status, text: Buffer.concat(parts).toString() };
}
