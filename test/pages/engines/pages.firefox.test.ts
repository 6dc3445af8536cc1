import { openFirefox } from './firefox.ts';
import { engineSuite } from './suite.ts';

const { FIREFOX_PATH = '' } = process.env;
engineSuite('Firefox', { isHere: FIREFOX_PATH !== '' }, () => openFirefox(FIREFOX_PATH));
