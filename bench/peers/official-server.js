import { listen } from './listen.js';
import { officialApp } from './official-app.js';

const { RPC_URL: rpcUrl, RELAYER_KEY: relayerKey, PAY_TO: payTo } = process.env;
listen(await officialApp({ rpcUrl, relayerKey, payTo }));
