import { createServer } from 'node:http';
import { express, paymentMiddleware } from '../../tools/bench-peers/frameworks.js';
import { notice } from '../samples.js';
import { say } from './listen.js';
import { officialRoutes, officialServer } from './official-app.js';

const { RPC_URL: rpcUrl, RELAYER_KEY: relayerKey, PAY_TO: payTo } = process.env;
const app = express();
app.use(paymentMiddleware(officialRoutes(payTo), await officialServer({ rpcUrl, relayerKey })));
app.get(notice.path, (_request, response) => {
  response.json(notice.answer);
});
say(createServer(app));
