import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOf, importsOf, rulesOf } from '../../scripts/imports.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

const TABLE = `
\`\`\`mermaid
flowchart TD
  app --> rooms/low & high --> low
\`\`\`

| folder | holds | may import | packages |
|---|---|---|---|
| \`app\` | programs | \`high\`, \`rooms/low\` | |
| \`high\` | what is built of it | \`low\`; types of \`rooms/low\` | \`zod\` |
| \`rooms/low\` | a room | \`low\` | |
| \`low\` | ground | | |
`;

const SOURCES = {
  'app/main.ts': "import { high } from '../high/high.ts';\nimport '../rooms/low/low.ts';",
  'high/high.ts':
    "import { z } from 'zod';\nimport { low } from '../low/low.ts';\nimport type { Low } from '../rooms/low/low.ts';",
  'rooms/low/low.ts': "export { low } from '../../low/deeper/deep.ts';",
  'low/low.ts': "import { deep } from './deeper/deep.ts';",
  'low/low.test.ts': "import { high } from '../high/high.ts';",
  'low/deeper/deep.ts': '',
};

/** The faults of small sources against a small table. */
function faults(changed: Record<string, string> = {}, table = TABLE): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  for (const [file, text] of Object.entries({ ...SOURCES, ...changed })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return faultsOf(folder, table);
}

describe('the imports of src', () => {
  it('match the table of ARCHITECTURE.md exactly, and none forms a cycle', () => {
    expect(faultsOf(join(root, 'src'), architecture)).toEqual([]);
  });

  it('are complete: every folder with sources has a row, and every row has sources', () => {
    const rules = rulesOf(architecture);
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const rows = [...rules.keys()].map((row) => row.split('/')[0]);
    expect([...new Set(rows)].toSorted()).toEqual([...folders, 'src'].toSorted());
    expect(importsOf(join(root, 'src'), rules).length).toBeGreaterThan(500);
  });
});

describe('an import', () => {
  it('is not a fault if the table allows it, it is in a test or it stays within a row', () => {
    expect(faults()).toEqual([]);
  });

  it.each([
    [
      'of a folder',
      "import { app } from '../app/main.ts';",
      'rooms/low/x.ts imports app, which its row forbids',
    ],
    [
      'over two lines',
      "import {\n  app,\n} from '../../app/main.ts';",
      'rooms/low/x.ts imports app, which its row forbids',
    ],
    [
      'at run time',
      "const high = await import('../../high/high.ts');",
      'rooms/low/x.ts imports high, which its row forbids',
    ],
    [
      'passed on',
      "export * from '../../high/high.ts';",
      'rooms/low/x.ts imports high, which its row forbids',
    ],
    ['of a package', "import { z } from 'zod';", 'rooms/low/x.ts imports zod, which its row forbids'],
    ['of Node', "import 'node:fs';", 'rooms/low/x.ts imports node, which its row forbids'],
    [
      'of a type alone',
      "import type { High } from '../../high/high.ts';",
      'rooms/low/x.ts imports types of high, which its row forbids',
    ],
  ])('is a fault if the table lacks it: %s', (_name, text, fault) => {
    const source = text.replace("'../app", "'../../app");
    expect(faults({ 'rooms/low/x.ts': source })).toContain(fault);
  });

  it('is a fault if it has values and the table allows only types', () => {
    const source =
      "import { z } from 'zod';\nimport '../low/low.ts';\nimport { low } from '../rooms/low/low.ts';";
    expect(faults({ 'high/high.ts': source })).toContain(
      'high/high.ts imports rooms/low, which its row forbids',
    );
  });
});

describe('the table', () => {
  it('has a row for every folder', () => {
    expect(faults({ 'new/new.ts': "import '../low/low.ts';" })).toContain('new has no row');
  });

  it('allows only what some file imports', () => {
    const { 'high/high.ts': high } = SOURCES;
    expect(faults({ 'high/high.ts': high.replace(/import \{ z.*\n/, '') })).toEqual([
      'high may import zod and does not',
    ]);
    expect(faults({ 'high/high.ts': high.replace(/\nimport type.*/, '') })).toEqual([
      'high may import types of rooms/low and does not',
    ]);
  });

  it('allows no cycle, not even of types', () => {
    const table = TABLE.replace('| ground | |', '| ground | types of `high` |');
    const changed = { 'low/low.ts': "import type { High } from '../high/high.ts';" };
    expect(faults(changed, table)).toEqual(['high -> low -> high is a circle']);
  });

  it('matches the picture', () => {
    expect(faults({}, TABLE.replace('& high --> low', '--> high & low'))).toEqual([
      'the picture shows rooms/low --> high, which is not in the table',
    ]);
    expect(faults({}, TABLE.replace('rooms/low & high', 'high'))).toEqual(['the picture omits rooms/low']);
  });
});
