import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumPath } from './test-programs.js';
import { fetchTool } from './tool.js';

/** Starts headless Chromium with Playwright. Without Chromium, the command ends with the reason. */
export async function launchChromium() {
  const executablePath = chromiumPath();
  const playwright = join(fetchTool('browser'), 'node_modules/playwright-core/index.mjs');
  const { chromium } = await import(pathToFileURL(playwright).href);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
