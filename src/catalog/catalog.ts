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
export function createCatalog(directory: Directory): readonly Operation[] {
  return [
    quote,
    lateFee,
    tools(directory),
    tool(directory),
    lateFeeNotice,
    quotePack,
    stackReport(directory),
  ] as readonly Operation[];
}
