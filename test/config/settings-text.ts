import { type Setting, settingsTable } from '../../src/config/settings.ts';

const rows: readonly Setting[] = settingsTable;

function fallbackWords(setting: Setting): string {
  return setting.fallbackText ?? (setting.fallback === null ? 'none' : `\`${setting.fallback}\``);
}

/** The settings as Markdown tables, as docs/configuration.md shows them. */
export function settingsMarkdown(): string {
  const table = (isNeeded: boolean) => [
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows
      .filter((row) => Boolean(row.isNeeded) === isNeeded)
      .map((row) => `| \`${row.name}\` | ${fallbackWords(row)} | ${row.meaning} |`),
  ];
  const secrets = rows.filter(({ secret }) => secret).map(({ name }) => `\`${name}\``);
  return [
    '## What real money needs\n',
    ...table(true),
    '\n## Everything else\n',
    ...table(false),
    '\n## Secrets in files\n',
    `Each of these may also be in a file: ${secrets.join(', ')}. Then set \`NAME_FILE\` to the path of the file, for example \`RELAYER_KEY_FILE=/run/secrets/relayer\`.`,
  ].join('\n');
}

/** The text of `.env.example`: every setting, commented out, so that a copy of it changes nothing. */
export function envExample(): string {
  const block = (row: Setting) => {
    const note = wrap(
      `${row.meaning.replaceAll('`', '')} Default: ${fallbackWords(row).replaceAll('`', '')}.`,
    );
    return [...note, `# ${row.name}=${row.fallback ?? row.example ?? ''}`].join('\n');
  };
  const head =
    '# Copy to .env and uncomment what you change. With nothing set, the service runs on an embedded chain of play money.';
  const files =
    '# Each setting that is a secret may also stand in a file: RELAYER_KEY_FILE names the file of RELAYER_KEY.';
  const needed = rows.filter(({ isNeeded }) => isNeeded).map(block);
  const others = rows.filter(({ isNeeded }) => !isNeeded).map(block);
  const parts = [
    '# --- What real money needs ---',
    ...needed,
    '# --- Everything else has a default that fits ---',
    ...others,
  ];
  return `${[`${head}\n${files}`, ...parts].join('\n\n')}\n`;
}

function wrap(text: string): string[] {
  const lines: string[] = ['#'];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '#';
    if (line.length + word.length + 1 > 110) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
