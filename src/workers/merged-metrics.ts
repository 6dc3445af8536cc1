/** The metrics of one process, in the text format of Prometheus. */
export type Part = { readonly worker: number; readonly text: string };

/**
 * Metrics of several processes as one text, each series with the number of its worker. Sums would be wrong: that of the
 * counters falls when a worker is started anew, and whoever reads it takes all the rest for new.
 */
export function mergedMetrics(parts: readonly Part[]): string {
  const families = new Map<string, { head: string; lines: string[] }>();
  for (const { worker, text } of parts)
    for (const [, head = '', lines = ''] of text.matchAll(/^(# HELP .*\n# TYPE .*\n)((?:[^#\n].*\n)*)/gm)) {
      const family = families.get(head) ?? { head, lines: [] };
      families.set(head, family);
      family.lines.push(lines.replace(/^(\w+)(?:\{(.*)\})? (\S+)$/gm, labelled(worker)));
    }
  return [...families.values()].map(({ head, lines }) => head + lines.join('')).join('');
}

const labelled =
  (worker: number) =>
  (_line: string, name: string, labels: string | undefined, value: string): string =>
    `${name}{worker="${worker}"${labels === undefined ? '' : `,${labels}`}} ${value}`;
