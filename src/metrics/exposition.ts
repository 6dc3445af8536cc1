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
  /** A counter. Each call creates a series that starts at 0. */
  counter(about: About): (labels?: Labels) => Counter;
  histogram(about: About & { readonly buckets: readonly number[] }): (labels?: Labels) => Histogram;
  /** Read at each scrape; a value that is not a number is omitted. */
  gauge(about: About, read: () => readonly Sample[] | number | null, type?: 'gauge' | 'counter'): void;
  text(): string;
};

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function createExposition(): Exposition {
  const families: (() => string)[] = [];
  /** A new family. Each function that is pushed returns the lines of one series. */
  const familyOf = (about: About, type: string): (() => readonly string[])[] => {
    const all: (() => readonly string[])[] = [];
    families.push(() =>
      textOf(
        about,
        type,
        all.flatMap((lines) => lines()),
      ),
    );
    return all;
  };
  return {
    counter(about) {
      const all = familyOf(about, 'counter');
      return (labels = {}) => {
        const series: Counter = { value: 0 };
        all.push(() => [line(about.name, labels, series.value)]);
        return series;
      };
    },
    histogram(about) {
      const all = familyOf(about, 'histogram');
      return (labels = {}) => {
        const { observe, lines } = bucketed(about, labels);
        all.push(lines);
        return { observe };
      };
    },
    gauge(about, read, type = 'gauge') {
      familyOf(about, type).push(() => {
        const readings = read() ?? [];
        const list = typeof readings === 'number' ? [{ value: readings }] : readings;
        const known = list.filter(({ value }: Sample) => Number.isFinite(value));
        return known.map(({ labels = {}, value }: Sample) => line(about.name, labels, value));
      });
    },
    text: () => families.map((text) => text()).join(''),
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

const textOf = ({ name, help }: About, type: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
