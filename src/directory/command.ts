import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Whether the module with this `import.meta.url` is what node was started with, and not merely imported. */
export function isCommand(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && moduleUrl === pathToFileURL(realpathSync(started)).href;
}
