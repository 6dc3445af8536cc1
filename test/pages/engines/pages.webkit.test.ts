import { engineSuite } from './suite.ts';
import { openWebKit } from './webkit.ts';

const { WEBKIT_PATH = '', XVFB_PATH = '' } = process.env;
const here = {
  isHere: WEBKIT_PATH !== '' && XVFB_PATH !== '',
  whyNoPaper: 'WebKitWebDriver has no command that prints',
};
engineSuite('WebKit', here, () => openWebKit(WEBKIT_PATH, XVFB_PATH));
