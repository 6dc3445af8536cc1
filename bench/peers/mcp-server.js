import { listen } from './listen.js';
import { mcpApp } from './mcp-app.js';

listen(mcpApp());
