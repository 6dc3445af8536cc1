import type { Directory } from '../directory/directory.ts';
import lateFee from '../operations/late-fee.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import quote from '../operations/quote.ts';
import quotePack from '../operations/quote-pack.ts';
import stackReport from '../operations/stack-report.ts';
import tool from '../operations/tool.ts';
import tools from '../operations/tools.ts';
import type { Operation } from './operation.ts';

/** Every operation in the order a reader should meet them; documents and price lists keep this order. */
const served = (directory: Directory) => [
  quote,
  lateFee,
  tools(directory),
  tool(directory),
  lateFeeNotice,
  quotePack,
  stackReport(directory),
];

/** One of them, with the types of its own. */
export type Served = ReturnType<typeof served>[number];

export const createCatalog = (directory: Directory) => served(directory) as readonly Operation[];
