import { executablePath } from '../../support/pages-under-test.ts';
import { openChromium } from './chromium.ts';
import { engineSuite } from './suite.ts';

engineSuite('Chromium', { isHere: executablePath !== undefined }, openChromium);
