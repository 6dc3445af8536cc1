import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../../scripts/output-of.js';
import { fetchTool } from '../../scripts/tool.js';

const program = fileURLToPath(new URL('node_modules/skills/bin/cli.mjs', import.meta.url));

export const clients = [
  {
    name: 'skills add, with Node.js 24',
    of: 'skills',
    spends: 0,
    async run({ url, home, assert }) {
      const words = [program, 'add', url, '--yes', '--agent', 'claude-code', '--copy'];
      const env = { ...process.env, DISABLE_TELEMETRY: '1' };
      const node = join(fetchTool('node-24'), 'node_modules/.bin/node');
      const { text } = await outputOf(words, { cwd: home, env }, node);
      const found = readdirSync(home, { recursive: true }).filter((path) => path.endsWith('SKILL.md'));
      assert.equal(found.length, 1, text.slice(-250));
      const served = await fetch(`${url}/.well-known/agent-skills/small-business-calculator/SKILL.md`);
      assert.equal(readFileSync(join(home, found[0]), 'utf8'), await served.text());
    },
  },
];
