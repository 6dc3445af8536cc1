import { parseArgs } from 'node:util';

/**
 * Reads the options of a command as `parseArgs` does. `--help` prints the usage and exits with 0; an unknown option
 * prints one line and exits with 64.
 */
export function optionsOf(usage, { options = {}, allowPositionals = false } = {}) {
  const help = { type: 'boolean', short: 'h' };
  try {
    const read = parseArgs({ allowPositionals, options: { ...options, help } });
    if (!read.values.help) return read;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}. --help lists the options.`);
    process.exit(64);
  }
}
