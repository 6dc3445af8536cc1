import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  AxeBuilder,
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
} from '../../tools/browser/index.ts';
import { type BuiltService, startBuilt } from './built-service.ts';

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

export const executablePath = process.env.CHROMIUM_PATH;

// Playwright's list, which this one replaces.
const DISABLED_BY_PLAYWRIGHT =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch';

// The suggestions below the address bar are pages of their own, which take as much processor time as the tests.
const ADDRESS_BAR = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup';

/** Starts the browser of the tests, without a window. */
export const launched = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    timeout: 90_000,
    args: ['--no-sandbox', `--disable-features=${DISABLED_BY_PLAYWRIGHT},${ADDRESS_BAR}`],
  });

/** Closes a context. A route that still waits for a reply would otherwise fail the run. */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The accessibility violations of a page in its present state, light or dark: `scheme rule: element`; empty if there
 * are none.
 */
export async function barriersOf(page: Page): Promise<string[]> {
  // A scan inside the page does not see frames, and is three times as fast as one that gathers results from frames.
  expect(page.frames()).toHaveLength(1);
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Every rule checks every element; only passed checks are not listed.
    const scan = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    // The light and the dark scheme differ only in colors, so the second scan has only the color rules.
    if (colorScheme === 'dark') scan.withRules(COLOR_RULES);
    else scan.withTags(TAGS);
    const { violations } = await scan.analyze();
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${colorScheme} ${id}: ${html}`));
  }
  return found;
}

/** Records errors in any page of a context, and every request except those for the icon. */
export function watch(context: BrowserContext, complaints: string[], asked: string[]): void {
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' || /policy/i.test(message.text())) complaints.push(message.text());
  });
  // A browser may request the icon again whenever the address changes.
  context.on('request', (request) => {
    if (!request.url().includes('/favicon')) asked.push(`${request.url()} ${request.postData() ?? ''}`);
  });
}

/** Pages of a service that settles nothing, in a fresh browser; one is open at a time. */
export type PagesUnderTest = {
  /** The address of the service. */
  readonly url: string;
  /** Script errors and policy violations since the test began; each test must end with none. */
  readonly complaints: string[];
  /** The address and the body of each request since the test began; each test must end with none to another origin. */
  readonly asked: readonly string[];
  /** Opens a page in a new context, and closes the previous one. */
  open(options?: ContextOptions): Promise<Page>;
};

/** Sets up the pages of a suite, and tears them down. */
export function pagesUnderTest(defaults: ContextOptions): PagesUnderTest {
  let service: BuiltService;
  let browser: Browser;
  let context: BrowserContext | undefined;
  const complaints: string[] = [];
  const asked: string[] = [];

  const close = async (): Promise<void> => {
    if (context !== undefined) await closeContext(context);
    context = undefined;
  };
  beforeAll(async () => {
    service = await startBuilt();
    browser = await launched();
  });
  afterAll(async () => {
    await browser?.close();
    service?.stop();
  });
  beforeEach(() => {
    complaints.length = 0;
    asked.length = 0;
  });
  afterEach(async () => {
    await close();
    expect(complaints).toEqual([]);
    expect(asked.filter((one) => !one.startsWith(service.url))).toEqual([]);
  });
  return {
    get url() {
      return service.url;
    },
    complaints,
    asked,
    async open(options = {}) {
      await close();
      context = await browser.newContext({ ...defaults, ...options });
      watch(context, complaints, asked);
      return context.newPage();
    },
  };
}
