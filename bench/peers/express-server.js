import { createServer } from 'node:http';
import { express } from '../../tools/bench-peers/frameworks.js';
import { lateFee, quote } from '../samples.js';
import { lateFeeInput, quoteInput } from './bare-app.js';
import { say } from './listen.js';
import { workedLateFee, workedQuote } from './worked.js';

// Express 5 and Zod with big.js, as its documentation shows.
const app = express();
app.use(express.json());
app.post(quote.path, (request, response) => {
  response.json(workedQuote(quoteInput.parse(request.body)));
});
app.get(lateFee.path, (request, response) => {
  response.json(workedLateFee(lateFeeInput.parse(request.query)));
});
say(createServer(app));
