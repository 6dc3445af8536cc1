import type { Kind } from './kind.ts';
import { chainKinds } from './kinds/chain.ts';
import { clockKinds } from './kinds/clocks.ts';
import { facilitatorKinds } from './kinds/facilitators.ts';
import { healthKinds } from './kinds/health.ts';
import { limitKinds } from './kinds/limits.ts';
import { mcpKinds } from './kinds/mcp.ts';
import { nameKinds } from './kinds/names.ts';
import { nodeKinds } from './kinds/nodes.ts';
import { pageKinds } from './kinds/pages.ts';
import { paymentKinds } from './kinds/payments.ts';
import { processKinds } from './kinds/processes.ts';
import { redisKinds } from './kinds/redis.ts';
import { socketKinds } from './kinds/sockets.ts';
import { transferKinds } from './kinds/transfers.ts';
import { walletKinds } from './kinds/wallets.ts';

/** Everything that is tried, in the order of the table. */
export const groups: Readonly<Record<string, readonly Kind[]>> = {
  'several transfers in one transaction': transferKinds,
  payments: paymentKinds,
  names: nameKinds,
  'contract wallets': walletKinds,
  chain: chainKinds,
  nodes: nodeKinds,
  facilitators: facilitatorKinds,
  Redis: redisKinds,
  clocks: clockKinds,
  processes: processKinds,
  sockets: socketKinds,
  pages: pageKinds,
  MCP: mcpKinds,
  limits: limitKinds,
  health: healthKinds,
};
