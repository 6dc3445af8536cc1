import { openChromium } from './chromium.ts';
import { engineSuite } from './suite.ts';

const { CHROMIUM_PATH = '' } = process.env;
engineSuite('Chromium', { isHere: CHROMIUM_PATH !== '' }, () => openChromium(CHROMIUM_PATH));
