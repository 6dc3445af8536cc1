import { bareApp } from './bare-app.js';
import { listen } from './listen.js';

listen(bareApp());
