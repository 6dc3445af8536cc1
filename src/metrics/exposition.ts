/** One series of a counter with its current value. */
export type Counter = { value: number };
/** A series that counts observed values by bucket. */
export type Histogram = { observe(value: number): void };

type Labels = Readonly<Record<string, string>>;
type About = { readonly name: string; readonly help: string };
/** A labelled value, read at a scrape. */
export type Sample = { readonly labels?: Labels; readonly value: number };

/** Metrics in the text format of Prometheus 0.0.4. Series are created once, so that counting is one addition. */
export type Exposition = {
  /** A counter; each call creates a series, which starts at 0. */
  counter(about: About): (labels?: Labels) => Counter;
  histogram(about: About & { readonly buckets: readonly number[] }): (labels?: Labels) => Histogram;
  /** Read at each scrape; a value that is not a number is left out. */
  gauge(about: About, read: () => readonly Sample[] | number | null, type?: 'gauge' | 'counter'): void;
  text(): string;
};

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function createExposition(): Exposition {
  const families: (() => string)[] = [];
  return {
    counter(about) {
      const all: { readonly labels: Labels; readonly series: Counter }[] = [];
      families.push(() =>
        family(
          about,
          'counter',
          all.map(({ labels, series }) => line(about.name, labels, series.value)),
        ),
      );
      return (labels = {}) => {
        const series: Counter = { value: 0 };
        all.push({ labels, series });
        return series;
      };
    },
    histogram(about) {
      const all: (() => string[])[] = [];
      families.push(() =>
        family(
          about,
          'histogram',
          all.flatMap((lines) => lines()),
        ),
      );
      return (labels = {}) => {
        const { observe, lines } = bucketed(about, labels);
        all.push(lines);
        return { observe };
      };
    },
    gauge(about, read, type = 'gauge') {
      families.push(() => {
        const readings = read() ?? [];
        const list = typeof readings === 'number' ? [{ value: readings }] : readings;
        return family(
          about,
          type,
          list
            .filter(({ value }) => Number.isFinite(value))
            .map(({ labels = {}, value }) => line(about.name, labels, value)),
        );
      });
    },
    text: () => families.map((lines) => lines()).join(''),
  };
}

function bucketed({ name, buckets }: About & { readonly buckets: readonly number[] }, labels: Labels) {
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

const family = ({ name, help }: About, type: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
