import { describe, expect, it } from 'vitest';
import { parseTarget } from '../request/request-info.js';
import { Store } from '../store/index.js';
import { ServerMetrics } from './server-metrics.js';

const CLOCK = { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined }) };
const PODS = '/api/v1/namespaces/default/pods';

function requestsAfter(targets: readonly string[]): string[] {
  const metrics = new ServerMetrics(new Store({ clock: CLOCK }));
  for (const target of targets) metrics.observe(parseTarget('POST', target), 201, 0.001);
  const lines = metrics.render().split('\n');
  return lines
    .filter((line) => line.startsWith('apiserver_request_total{'))
    .map((line) => line.slice(line.indexOf('{')));
}

function line(dryRun: string, count: number): string {
  const labels = `verb="POST",dry_run="${dryRun}",group="",version="v1",resource="pods",subresource="",scope="namespace"`;
  return `{${labels},component="apiserver",code="201"} ${count}`;
}

describe('requests are counted', () => {
  it('together whatever the parameters of their queries that are not counted apart', () => {
    expect(requestsAfter([PODS, `${PODS}?fieldManager=a`, `${PODS}?fieldManager=b`, PODS])).toEqual([line('', 4)]);
  });

  it('apart where they only try, also after others that are alike', () => {
    const targets = [`${PODS}?fieldManager=a`, `${PODS}?dryRun=All`, `${PODS}?fieldManager=a&dryRun=All`, PODS];
    expect(requestsAfter(targets)).toEqual([line('', 2), line('All', 2)]);
  });
});
