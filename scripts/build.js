// Compiles src/ to dist/. With --if-stale it does so only when a source is newer than the last build,
// so that `npm start` costs an operator nothing when the build is there.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stamp = 'dist/.built';

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  );

const isFresh = () => {
  if (!existsSync('src')) return existsSync(stamp);
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return newest('src') <= built && statSync('tsconfig.build.json').mtimeMs <= built;
};

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

rmSync('dist', { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// Data files that the compiled modules read at start.
for (const data of [
  'directory/listings',
  'directory/categories.json',
  'directory/quotes.sha256.json',
  'directory/leads.json',
  'directory/left-out.json',
])
  if (existsSync(`src/${data}`)) cpSync(`src/${data}`, `dist/${data}`, { recursive: true });
writeFileSync(stamp, '');
