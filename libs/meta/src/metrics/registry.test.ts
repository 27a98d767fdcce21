import { describe, expect, it } from 'vitest';
import { Counter, Gauge, Histogram, LiveGauge, renderMetrics } from './registry.js';

describe('the metrics page', () => {
  it('shows counters, gauges and histograms in the format of Prometheus', () => {
    const counter = new Counter('c_total', 'A counter.', ['verb']);
    counter.add(['GET']);
    counter.add(['GET'], 2);
    counter.add(['a"b\\c\nd']);
    const histogram = new Histogram('h_seconds', 'A histogram.', [], [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe([], value);
    const gauge = new LiveGauge('g', 'A gauge.', ['x'], () => [[['y'], 4]]);
    const level = new Gauge('l', 'A level.', ['x']);
    level.set(['y'], 4);
    level.add(['y'], -3);
    expect([counter.value(['GET']), level.value(['y']), level.value(['z'])]).toEqual([3, 1, 0]);
    expect(renderMetrics([counter, histogram, gauge, level])).toBe(
      [
        '# HELP c_total A counter.',
        '# TYPE c_total counter',
        'c_total{verb="GET"} 3',
        'c_total{verb="a\\"b\\\\c\\nd"} 1',
        '# HELP h_seconds A histogram.',
        '# TYPE h_seconds histogram',
        'h_seconds_bucket{le="0.1"} 2',
        'h_seconds_bucket{le="1"} 3',
        'h_seconds_bucket{le="+Inf"} 4',
        'h_seconds_sum 7.65',
        'h_seconds_count 4',
        '# HELP g A gauge.',
        '# TYPE g gauge',
        'g{x="y"} 4',
        '# HELP l A level.',
        '# TYPE l gauge',
        'l{x="y"} 1',
        '',
      ].join('\n'),
    );
  });

  it('is the same whether a family is created from its declaration or from its fields, and the family has the declaration', () => {
    const counter = { type: 'counter', name: 'c_total', help: 'A counter.', labels: ['verb'] } as const;
    const gauge = { type: 'gauge', name: 'g', help: 'A gauge.', labels: [] } as const;
    const histogram = { type: 'histogram', name: 'h', help: 'Spread.', labels: ['x'], buckets: [0.1, 1] } as const;
    const made = [Counter.of(counter), Gauge.of(gauge), Histogram.of(histogram)] as const;
    expect(made.map((family) => family.declaration)).toEqual([counter, gauge, histogram]);
    expect(LiveGauge.of(gauge, () => []).declaration).toEqual(gauge);
    made[0].add(['GET']);
    made[1].set([], 7);
    made[2].observe(['y'], 0.5);
    const parts = [
      new Counter('c_total', 'A counter.', ['verb']),
      new Gauge('g', 'A gauge.', []),
      new Histogram('h', 'Spread.', ['x'], [0.1, 1]),
    ] as const;
    parts[0].add(['GET']);
    parts[1].set([], 7);
    parts[2].observe(['y'], 0.5);
    expect(renderMetrics(made)).toBe(renderMetrics(parts));
    expect(renderMetrics(made)).toContain('h_bucket{x="y",le="0.1"} 0');
  });

  it('shows the same whether counting goes by labels or by a line that was looked up', () => {
    const [counter, histogram] = [new Counter('c_total', 'C.', ['x']), new Histogram('h', 'H.', ['x'], [1])];
    const [counted, observed] = [counter.series(['y']), histogram.series(['y'])];
    expect([counter.value(['y']), counter.series(['y']), histogram.series(['y'])]).toEqual([0, counted, observed]);
    counted.add();
    counter.add(['y'], 2);
    observed.observe(0.5);
    histogram.observe(['y'], 3);
    expect(counter.value(['y'])).toBe(3);
    const shown = renderMetrics([counter, histogram]).split('\n');
    expect(shown.filter((line) => /^[ch]/.test(line))).toEqual([
      'c_total{x="y"} 3',
      'h_bucket{x="y",le="1"} 1',
      'h_bucket{x="y",le="+Inf"} 2',
      'h_sum{x="y"} 3.5',
      'h_count{x="y"} 2',
    ]);
  });
});
