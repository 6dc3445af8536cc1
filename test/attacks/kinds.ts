import type { Kind } from './kind.ts';
import { assetKinds } from './kinds/asset.ts';
import { blockKinds } from './kinds/blocks.ts';
import { clockKinds } from './kinds/clocks.ts';
import { dearRequestKinds } from './kinds/dear-requests.ts';
import { facilitatorKinds } from './kinds/facilitators.ts';
import { floodKinds } from './kinds/floods.ts';
import { frontRunningKinds } from './kinds/front-running.ts';
import { gasKinds } from './kinds/gas.ts';
import { healthKinds } from './kinds/health.ts';
import { limitKinds } from './kinds/limits.ts';
import { mcpKinds } from './kinds/mcp.ts';
import { nameKinds } from './kinds/names.ts';
import { nodeAnswerKinds } from './kinds/node-answers.ts';
import { nodeKinds } from './kinds/nodes.ts';
import { pageKinds } from './kinds/pages.ts';
import { processKinds } from './kinds/processes.ts';
import { purchaseKinds } from './kinds/purchases.ts';
import { redisKinds } from './kinds/redis.ts';
import { refusedPaymentKinds } from './kinds/refused-payments.ts';
import { signatureKinds } from './kinds/signatures.ts';
import { socketKinds } from './kinds/sockets.ts';
import { transferKinds } from './kinds/transfers.ts';
import { walletKinds } from './kinds/wallets.ts';

/** Every kind of attack, in the order of the table. */
export const groups: Readonly<Record<string, readonly Kind[]>> = {
  'several transfers in one transaction': transferKinds,
  payments: [...purchaseKinds, ...signatureKinds, ...refusedPaymentKinds],
  names: nameKinds,
  'contract wallets': walletKinds,
  chain: [...frontRunningKinds, ...blockKinds, ...gasKinds, ...assetKinds],
  nodes: [...nodeKinds, ...nodeAnswerKinds],
  facilitators: facilitatorKinds,
  Redis: redisKinds,
  clocks: clockKinds,
  processes: processKinds,
  sockets: [...socketKinds, ...floodKinds],
  pages: [...pageKinds, ...dearRequestKinds],
  MCP: mcpKinds,
  limits: limitKinds,
  health: healthKinds,
};
