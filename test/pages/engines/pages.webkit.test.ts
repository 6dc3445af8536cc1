import { engineSuite } from './suite.ts';
import { openWebKit } from './webkit.ts';

const { WEBKIT_PATH = '', XVFB_PATH = '' } = process.env;
engineSuite('WebKit', WEBKIT_PATH !== '' && XVFB_PATH !== '', () => openWebKit(WEBKIT_PATH, XVFB_PATH));
