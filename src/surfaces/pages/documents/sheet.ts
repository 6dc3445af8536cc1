import { cleanLine } from '../../../domain/text.ts';
import type { Block, Span, Text } from '../content.ts';
import { blocksText, inlineText } from '../plain-text.ts';
import type { Brand } from './brand.ts';
import { type PaymentLink, paymentWords } from './payment-link.ts';

/** A document that an owner sends or keeps, as it looks on paper. */
export type Sheet = Brand & {
  readonly kind: 'quote' | 'pack' | 'letter' | 'report';
  /** The title; null for a letter. */
  readonly title: string | null;
  readonly business: string;
  readonly contact: readonly string[];
  readonly client: readonly string[];
  /** Number, dates. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** The last day on which the document can be accepted, YYYY-MM-DD; absent if it does not expire. */
  readonly validUntil?: string;
  readonly parts: readonly SheetPart[];
  /** User text that appears inside its sentences. */
  readonly names?: readonly string[];
};

export type SheetPart =
  | { readonly heading: string }
  | { readonly subject: string }
  /** A paragraph, line by line. */
  | { readonly lines: readonly string[] }
  | { readonly list: readonly string[] }
  | { readonly table: SheetTable }
  /** Names and values, such as the figures in a letter. */
  | { readonly figures: readonly (readonly [string, string])[] }
  | { readonly options: readonly SheetOption[] }
  /** The main figures of a document, side by side. */
  | {
      readonly highlights: readonly {
        readonly label: string;
        readonly value: string;
        readonly note: string;
      }[];
    }
  | { readonly steps: readonly SheetStep[] }
  | { readonly terms: readonly { readonly title: string; readonly text: string }[] }
  /** Checkboxes, each with its label and its amount. */
  | { readonly choices: readonly (readonly [string, string])[] }
  | { readonly payment: PaymentLink }
  | { readonly signature: readonly string[] }
  | { readonly blocks: readonly Block[] };

/** Figures are right-aligned in every column except the first. */
export type SheetTable = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly totals: readonly {
    readonly label: string;
    readonly values: readonly Cell[];
    readonly isMain?: boolean;
  }[];
};

/** A cell, and the small text below it. */
export type Cell = string | { readonly value: string; readonly below: string };

/** A numbered step with tasks to check off, and notes for the reader. */
export type SheetStep = {
  readonly number: number;
  /** Empty if the step has nothing but its list. */
  readonly title: Span;
  readonly about: string;
  readonly why: string;
  readonly todo: readonly string[];
  readonly notes: readonly { readonly label: string; readonly text: Text }[];
  /** The vendor's words. */
  readonly quotation?: Block;
};

export type SheetOption = {
  readonly label: string;
  readonly total: string;
  readonly isRecommended: boolean;
  readonly lead: string;
  readonly holds: readonly string[];
};

/** The lines of a user's text, without blank ones. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r\n|[\n\r]/)
    .map(cleanLine)
    .filter((line) => line !== '');

/** In print, a minus sign is as wide as a plus sign. */
export const onPaper = (amount: string): string => amount.replace(/^-/, '−');

/** A document as plain text. Internal links begin with `baseUrl`. */
export function sheetText(sheet: Sheet, baseUrl = ''): string {
  const { title, business, contact, client, facts, parts } = sheet;
  const sections = [
    [business, ...contact].filter((line) => line !== '').join('\n'),
    [...(title === null ? [] : [title.toUpperCase()]), ...facts.map(pairText)].join('\n'),
    client.length === 0 ? '' : ['For', ...client].join('\n'),
    ...parts.map((part) => partText(part, baseUrl)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const pairText = ({ label, value }: { readonly label: string; readonly value: string }): string =>
  `${label}: ${value}`;

function partText(part: SheetPart, baseUrl: string): string {
  if ('heading' in part) return part.heading.toUpperCase();
  if ('subject' in part) return part.subject;
  if ('lines' in part) return part.lines.join('\n');
  if ('list' in part) return part.list.map((entry) => `- ${entry}`).join('\n');
  if ('figures' in part) return part.figures.map(([label, value]) => `${label}: ${value}`).join('\n');
  if ('table' in part) return tableText(part.table);
  if ('highlights' in part)
    return part.highlights.map(({ label, value, note }) => `${label}: ${value}. ${note}`.trim()).join('\n');
  if ('steps' in part) return part.steps.map((step) => stepText(step, baseUrl)).join('\n\n');
  if ('options' in part) return part.options.map(optionText).join('\n\n');
  if ('terms' in part) return part.terms.map(({ title, text }) => `${title}: ${text}`).join('\n');
  if ('choices' in part) return part.choices.map((choice) => `[ ] ${choice.join(', ')}`).join('\n');
  if ('payment' in part)
    return `${paymentWords(part.payment)} ${part.payment.host}:\n${part.payment.address}`;
  if ('signature' in part) return part.signature.map((label) => `${label}: ____________________`).join('\n');
  return blocksText(part.blocks, baseUrl).trimEnd();
}

const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : `${cell.value} (${cell.below})`);

function tableText({ head, rows, totals }: SheetTable): string {
  const named = (cells: readonly Cell[]): string =>
    cells
      .flatMap((cell, column) => {
        const text = cellText(cell);
        return column === 0 || text === '' ? [] : [`${head[column]} ${text}`];
      })
      .join(', ');
  const options = head.slice(-(totals[0]?.values.length ?? 1));
  return [
    ...rows.map((cells) => `${cellText(cells[0] ?? '')}: ${named(cells)}`),
    '',
    ...totals.map(({ label, values }) =>
      values.length === 1
        ? `${label}: ${cellText(values[0] ?? '')}`
        : `${label}: ${values.map((value, index) => `${options[index]} ${cellText(value)}`).join(', ')}`,
    ),
  ].join('\n');
}

const stepText = (
  { number, title, about, why, todo, notes, quotation }: SheetStep,
  baseUrl: string,
): string =>
  [
    `${number}. ${inlineText(title === '' ? [] : [title], baseUrl)}${about === '' ? '' : `: ${about}`}`.trim(),
    ...(why === '' ? [] : [why]),
    ...todo.map((line) => `[ ] ${line}`),
    ...notes.map(({ label, text }) => `${label}: ${inlineText(text, baseUrl)}`),
    ...(quotation === undefined ? [] : [blocksText([quotation], baseUrl).trimEnd()]),
  ].join('\n');

const optionText = ({ label, total, isRecommended, lead, holds }: SheetOption): string =>
  [
    `${label}${isRecommended ? ' (recommended)' : ''}: ${total}`,
    ...(lead === '' ? [] : [lead]),
    ...holds.map((held) => `- ${held}`),
  ].join('\n');
