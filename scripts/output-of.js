import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program to its end, with Node.js unless another is named; returns its status (null after a signal) and the
 * combined output of both streams.
 */
export async function outputOf(words, options = {}, program = process.execPath) {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  return { status, text: Buffer.concat(parts).toString() };
}
