import type { Fault } from '../../domain/result.ts';
import { cleanLine } from '../../domain/text.ts';
import type { Receipt } from '../../exchange/outcome.ts';
import { type ProblemCode, problem } from '../problem.ts';

/** A result of `tools/call`, as every revision takes it. */
export type ToolResult = {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
};

/** The receipt key of the x402 MCP transport. */
export const receiptMeta = (receipt: Receipt | null): { _meta?: Record<string, unknown> } =>
  receipt === null ? {} : { _meta: { 'x402/payment-response': receipt } };

export type ProblemParts = {
  readonly baseUrl: string;
  readonly code: ProblemCode;
  /** What happened; the text begins with it. */
  readonly detail: string;
  /** What to change, which follows; before a list of faults its full stop becomes a colon. */
  readonly remedy: string;
  readonly faults?: readonly Fault[];
  readonly receipt?: Receipt | null;
  readonly retryAfterSeconds?: number | null;
};

/**
 * An outcome without an answer: the text says what to change, one line a fault, and structuredContent is the problem
 * as over HTTP, since some clients show a model only the one and some only the other.
 */
export function problemResult(parts: ProblemParts): ToolResult {
  const { baseUrl, code, detail, remedy, receipt = null, retryAfterSeconds = null } = parts;
  const faults = parts.faults?.map(cleaned);
  const said = `${detail} ${remedy}`;
  const lines = [faults === undefined ? said : said.replace(/\.$/, ':'), ...(faults ?? []).map(faultLine)];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: {
      ...problem(baseUrl, code, said, faults),
      ...(retryAfterSeconds !== null && { retry_after_seconds: retryAfterSeconds }),
    },
    ...receiptMeta(receipt),
  };
}

/** A pointer may hold a name that the caller invented, which a model will read. */
const cleaned = (fault: Fault): Fault => ({ ...fault, pointer: cleanLine(fault.pointer) });

/** "- items.3.unit_price: is required; for example 450" */
function faultLine({ pointer, detail, hint }: Fault): string {
  const path = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return `- ${path === '' ? 'arguments' : path}: ${detail}${hint === undefined ? '' : `; ${hint}`}`;
}
