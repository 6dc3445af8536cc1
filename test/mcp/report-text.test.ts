import { describe, expect, it } from 'vitest';
import { fakePayment, testApp } from '../support/app.ts';
import { ERAS, request, type ToolResult } from './endpoint.ts';

const app = testApp({
  end: () => ({
    state: 'settled',
    transaction: `0x${'ab'.repeat(32)}`,
    payer: '0x00000000000000000000000000000000000000bb',
  }),
});

async function buy(era: (typeof ERAS)[number], nonce: string, values: object = {}): Promise<ToolResult> {
  const { body } = await request(app, era, 'tools/call', {
    params: {
      name: 'small_business_stack_report',
      arguments: { business_type: 'consultant', ...values },
    },
    headers: { 'payment-signature': fakePayment({ value: '1000000', nonce }) },
  });
  return body.result as ToolResult;
}

describe('a bought report over MCP', () => {
  it.each(ERAS.map((era, index) => [era, index] as const))(
    'has the complete document for people as its text (%s)',
    async (era, index) => {
      const { content, structuredContent } = await buy(era, String(10 + index));
      const report = structuredContent as {
        summary: { sentence: string };
        picks: { need_name: string; tool: { name: string }; why: string[]; caveats: string[] }[];
        unmet: { need_name: string }[];
        getting_started: { text: string }[];
      };
      expect(content).toHaveLength(1);
      const text = content[0]?.text?.replaceAll('\\', '') ?? '';
      expect(text).toMatch(/^## Software plan\n/);
      expect(text).toContain(report.summary.sentence);
      for (const { need_name, tool, why, caveats } of report.picks) {
        const heading = text
          .split('\n')
          .find((line) => line.startsWith('### ') && line.includes(`. [${tool.name}](`));
        expect(heading).toContain(need_name);
        for (const line of [...why, ...caveats]) expect(text).toContain(line);
      }
      for (const { need_name } of report.unmet) expect(text).toContain(`### ${need_name}`);
      for (const { text: step } of report.getting_started) expect(text).toContain(step);
      expect(text.length).toBeLessThan(JSON.stringify(structuredContent).length);
    },
  );

  it('has the same document as Markdown inside the JSON, and is the same purchase in both forms', async () => {
    const first = await buy('modern', '20');
    const again = await buy('modern', '20', { format: 'markdown' });
    expect(again.structuredContent).toEqual({
      ...first.structuredContent,
      markdown: first.content[0]?.text,
    });
    expect(again.content).toEqual(first.content);
  });
});
