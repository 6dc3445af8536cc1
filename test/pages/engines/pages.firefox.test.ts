import { openFirefox } from './firefox.ts';
import { engineSuite } from './suite.ts';

const { FIREFOX_PATH = '' } = process.env;
engineSuite('Firefox', FIREFOX_PATH !== '', () => openFirefox(FIREFOX_PATH));
