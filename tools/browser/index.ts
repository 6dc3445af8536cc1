import { fetchTool } from '../../scripts/tool.js';

fetchTool('browser');
export const { chromium } = await import('playwright-core');
export const { AxeBuilder } = await import('@axe-core/playwright');
export type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
