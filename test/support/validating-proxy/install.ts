import { putBetween } from '../app.ts';
import { validated } from './validated.ts';

putBetween(validated);
