import { cleanLine } from '../../../domain/text.ts';
import { type Block, type Figure, type Span, spans, type Text } from '../content.ts';
import { blocksText } from '../plain-text.ts';
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
  | { readonly figures: readonly Figure[] }
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
  /** The address behind the title, as people type it. */
  readonly address: string;
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

/** "Quote Q-118 Green Gardens": the file name that a browser suggests when the page is printed to a file. */
export function fileName({ kind, title, business, facts, client }: Sheet): string {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const what = { quote: 'Quote', pack: 'Quote', letter: 'Reminder', report: title ?? 'Report' }[kind];
  const parts = [what, number, kind === 'letter' ? (client[0] ?? '') : business];
  return parts.filter((part) => part !== '').join(' ');
}

/** A document as plain text. Internal links begin with `baseUrl`. */
export const sheetText = (sheet: Sheet, baseUrl = ''): string => blocksText(sheetBlocks(sheet), baseUrl);

/** A document as the blocks of its text and its Markdown. */
export function sheetBlocks({ title, business, contact, client, facts, parts }: Sheet): readonly Block[] {
  const sender = [business, ...contact].filter((line) => line !== '');
  return [
    ...(sender.length === 0 ? [] : [{ lines: sender }]),
    ...(title === null ? [] : [{ heading: title }]),
    ...(facts.length === 0 ? [] : [{ figures: facts }]),
    ...(client.length === 0 ? [] : [{ lines: ['For', ...client] }]),
    ...parts.flatMap(blocksOf),
  ];
}

function blocksOf(part: SheetPart): readonly Block[] {
  if ('blocks' in part) return part.blocks;
  if ('subject' in part) return [{ subheading: part.subject }];
  if ('table' in part) return tablesOf(part.table);
  if ('highlights' in part)
    return [
      {
        figures: part.highlights.map(({ label, value, note }) => ({
          label,
          value: `${value}. ${note}`.trim(),
        })),
      },
    ];
  if ('steps' in part) return part.steps.flatMap(stepBlocks);
  if ('options' in part) return part.options.flatMap(optionBlocks);
  if ('terms' in part) return [{ list: part.terms.map(({ title, text }) => `${title}: ${text}`) }];
  if ('choices' in part) return [{ todo: part.choices.map((choice) => choice.join(', ')) }];
  if ('payment' in part)
    return [{ lines: [`${paymentWords(part.payment)} ${part.payment.host}:`, part.payment.address] }];
  if ('signature' in part)
    return [
      { code: part.signature.map((label) => `${label}: ${'_'.repeat(20)}`).join('\n'), language: 'text' },
    ];
  return [part];
}

const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : `${cell.value} (${cell.below})`);

/** The lines, then the totals: by column if there are several, such as the options of a pack. */
function tablesOf({ head, rows, totals }: SheetTable): readonly Block[] {
  const columns = totals[0]?.values.length ?? 0;
  const sums: Block =
    columns > 1
      ? {
          table: {
            head: ['Amount', ...head.slice(-columns)],
            rows: totals.map(({ label, values }) => [label, ...values.map(cellText)]),
          },
        }
      : {
          figures: totals.map(({ label, values, isMain = false }) => ({
            label,
            value: values.map(cellText).join(),
            strong: isMain,
          })),
        };
  const lines: Block = { table: { head, rows: rows.map((cells) => cells.map(cellText)) } };
  return columns === 0 ? [lines] : [lines, sums];
}

function stepBlocks({ number, title, about, why, todo, notes, quotation }: SheetStep): readonly Block[] {
  if (title === '') return [{ todo }];
  return [
    { subheading: [`${number}. `, title, `: ${about}`] },
    ...(why === '' ? [] : [{ text: why }]),
    { todo },
    { list: notes.map(({ label, text }) => [`${label}: `, ...spans(text)]) },
    ...(quotation === undefined ? [] : [quotation]),
  ];
}

const optionBlocks = ({ label, total, isRecommended, lead, holds }: SheetOption): readonly Block[] => [
  { subheading: `${label}${isRecommended ? ' (recommended)' : ''}: ${total}` },
  ...(lead === '' ? [] : [{ text: lead }]),
  ...(holds.length === 0 ? [] : [{ list: holds }]),
];
