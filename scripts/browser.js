import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumPath } from './test-programs.js';
import { fetchTool } from './tool.js';

/** Chromium without a window, driven by Playwright; ends the command with the reason where there is none. */
export async function launchChromium() {
  const executablePath = chromiumPath();
  const playwright = join(fetchTool('browser'), 'node_modules/playwright-core/index.mjs');
  const { chromium } = await import(pathToFileURL(playwright).href);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
