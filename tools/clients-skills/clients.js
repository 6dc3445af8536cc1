import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node_modules/skills/bin/cli.mjs', import.meta.url));

export const clients = [
  {
    name: 'skills add',
    of: 'skills',
    spends: 0,
    async run({ url, home, assert }) {
      const words = [program, 'add', url, '--yes', '--agent', 'claude-code', '--copy'];
      const env = { ...process.env, DISABLE_TELEMETRY: '1' };
      const child = spawn(process.execPath, words, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const output = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
      await once(child, 'close');
      const found = readdirSync(home, { recursive: true }).filter((path) => path.endsWith('SKILL.md'));
      assert.equal(found.length, 1, Buffer.concat(output).toString().slice(-250));
      const served = await fetch(`${url}/.well-known/agent-skills/small-business-calculator/SKILL.md`);
      assert.equal(readFileSync(join(home, found[0]), 'utf8'), await served.text());
    },
  },
];
