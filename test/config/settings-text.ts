import { type Setting, settingsTable } from '../../src/config/settings.ts';

const rows: readonly Setting[] = settingsTable;

function fallbackWords(setting: Setting): string {
  return setting.fallbackText ?? (setting.fallback === null ? 'none' : `\`${setting.fallback}\``);
}

const HEADINGS: Readonly<Record<Setting['group'], string>> = {
  money: 'What real money needs',
  server: 'Server',
  gas: 'Network and gas',
  listing: 'Receipts and listings',
  monitoring: 'Monitoring',
};

/** The settings as Markdown tables by group, as docs/configuration.md shows them. */
export function settingsMarkdown(): string {
  const tables = Object.entries(HEADINGS).map(([group, heading]) => {
    const lines = rows
      .filter((row) => row.group === group)
      .map((row) => `| \`${row.name}\` | ${fallbackWords(row)} | ${row.meaning} |`);
    return [`## ${heading}\n`, '| Setting | Default | Meaning |', '|---|---|---|', ...lines].join('\n');
  });
  const secrets = rows.filter(({ secret }) => secret).map(({ name }) => `\`${name}\``);
  const files = `## Secrets in files\n\nEach of these settings can also be in a file: ${secrets.join(', ')}. To use a file, set \`NAME_FILE\` to its path, for example \`RELAYER_KEY_FILE=/run/secrets/relayer\`.`;
  return [...tables, files].join('\n\n');
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
    '# Copy this file to .env and uncomment the settings that you change. Without settings, the service uses play money.';
  const files =
    '# Each secret can also be in a file: for example, set RELAYER_KEY_FILE to the path of a file with the key.';
  const needed = rows.filter(({ group }) => group === 'money').map(block);
  const others = rows.filter(({ group }) => group !== 'money').map(block);
  const parts = [
    '# --- What real money needs ---',
    ...needed,
    '# --- Everything else has a good default ---',
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
