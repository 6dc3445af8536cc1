type Labels = Readonly<Record<string, string>>;
/** A labelled value, read at a scrape. */
export type Sample = { readonly labels?: Labels; readonly value: number };

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Metrics in the text format of Prometheus 0.0.4. Every series exists from the start, and reports with other labels are
 * ignored.
 */
export type Exposition = {
  /** A counter for each of these labels. Returns a function that adds 1, or an amount. */
  counter(name: string, help: string, series?: readonly Labels[]): (labels?: Labels, amount?: number) => void;
  /** A histogram for each of these labels. Returns a function that adds a value. */
  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    series?: readonly Labels[],
  ): (value: number, labels?: Labels) => void;
  /** Read at each scrape; a value that is not a number is omitted. */
  gauge(
    name: string,
    help: string,
    read: () => readonly Sample[] | number | null,
    type?: 'gauge' | 'counter',
  ): void;
  text(): string;
};

export function createExposition(): Exposition {
  const families: (() => string)[] = [];
  const family = (name: string, help: string, type: string, linesOf: () => readonly string[]): void => {
    families.push(() => {
      const lines = linesOf();
      return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    });
  };
  return {
    counter(name, help, series = [{}]) {
      const counts = new Map(series.map((labels) => [keyOf(labels), { labels, value: 0 }]));
      family(name, help, 'counter', () =>
        [...counts.values()].map(({ labels, value }) => line(name, labels, value)),
      );
      return (labels = {}, amount = 1) => {
        const count = counts.get(keyOf(labels));
        if (count !== undefined) count.value += amount;
      };
    },
    histogram(name, help, buckets, series = [{}]) {
      const all = new Map(series.map((labels) => [keyOf(labels), bucketed(name, buckets, labels)]));
      family(name, help, 'histogram', () => [...all.values()].flatMap(({ lines }) => lines()));
      return (value, labels = {}) => all.get(keyOf(labels))?.observe(value);
    },
    gauge(name, help, read, type = 'gauge') {
      family(name, help, type, () => {
        const readings = read() ?? [];
        const list: readonly Sample[] = typeof readings === 'number' ? [{ value: readings }] : readings;
        const known = list.filter(({ value }) => Number.isFinite(value));
        return known.map(({ labels = {}, value }) => line(name, labels, value));
      });
    },
    text: () => families.map((text) => text()).join(''),
  };
}

const keyOf = (labels: Labels): string => Object.values(labels).join('\n');

function bucketed(name: string, buckets: readonly number[], labels: Labels) {
  const counts = buckets.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe(value: number) {
      count += 1;
      sum += value;
      const at = buckets.findIndex((bound) => value <= bound);
      if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
    },
    lines(): string[] {
      let below = 0;
      const shown = buckets.map((bound, index) => {
        below += counts[index] ?? 0;
        return line(`${name}_bucket`, { ...labels, le: String(bound) }, below);
      });
      return [
        ...shown,
        line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
        line(`${name}_sum`, labels, sum),
        line(`${name}_count`, labels, count),
      ];
    },
  };
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
