import type { LabelSet, Sample, Series } from '@capstan/observability/promql';

/** There is no target to scrape. */
export const NO_TARGET = Symbol('no target');

/** A process that is scraped every minute. */
export interface Target {
  /** What the scraper adds to each series. */
  readonly labels: LabelSet;
  /**
   * Begins its life; what it gives is called once a minute and answers the metrics page, nothing while it does not answer,
   * or that it is no target any more.
   */
  readonly start: () => (minute: number) => string | undefined | typeof NO_TARGET;
}

interface Reading {
  readonly name: string;
  readonly labels: LabelSet;
  readonly value: number;
}

/** One line of a metrics page. */
function readLine(line: string): Reading {
  const [, name, pairs = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`no line of a metrics page: ${line}`);
  const labels = [...pairs.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return { name, labels: Object.fromEntries(labels) as LabelSet, value: Number(value) };
}

/** What a scraper has after so many minutes; the first scrape is at minute 0. */
export function scrape(targets: readonly Target[], minutes: number): Series[] {
  const found = new Map<string, { name: string; labels: LabelSet; samples: Sample[] }>();
  for (const { labels: own, start } of targets) {
    const pageAt = start();
    for (let minute = 0; minute <= minutes; minute += 1) {
      const page = pageAt(minute);
      if (page === NO_TARGET) continue;
      const lines = (page ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      const up: Reading = { name: 'up', labels: {}, value: page === undefined ? 0 : 1 };
      for (const { name, labels, value } of [up, ...lines.map(readLine)]) {
        const all = { ...own, ...labels };
        const key = JSON.stringify([name, all]);
        const series = found.get(key) ?? { name, labels: all, samples: [] };
        found.set(key, series);
        series.samples.push({ ms: minute * 60_000, value });
      }
    }
  }
  return [...found.values()];
}
