import type { Operation } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import lateFee from './late-fee.ts';
import lateFeeNotice from './late-fee-notice.ts';
import quote from './quote.ts';
import quotePack from './quote-pack.ts';
import stackReport from './stack-report.ts';
import tool from './tool.ts';
import tools from './tools.ts';

/** Every operation in list order, except the price list, which is built from them. */
const served = (directory: Directory) => [
  quote,
  lateFee,
  tools(directory),
  tool(directory),
  lateFeeNotice,
  quotePack,
  stackReport(directory),
];

/** An operation of the catalog, with its own types. */
export type Served = ReturnType<typeof served>[number];

export const createCatalog = (directory: Directory) => served(directory) as readonly Operation[];
