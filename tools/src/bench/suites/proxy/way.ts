import type { IncomingMessage } from 'node:http';
import type { BenchRow } from '../../model.js';
import { added, Line, percentile } from './latency.js';
import type { Behind, Served } from './programs.js';

/** The proxies of one server. */
export interface Proxies {
  readonly ours: Served;
  readonly kubectl: Served | undefined;
}

const STANDARD = 'example.cluster.x-k8s.io';
const PRIVATE = 'example.cluster.hypershift.openshift.io';
const MERGE = 'application/merge-patch+json';
const LISTED = 500;
const WRITERS = 8;

const placeOf = (group: string): string => `/apis/${group}/v1/namespaces/default/gadgets`;

/** An object of about 3 KB, with the groups that Cluster API has in it. */
function gadget(name: string): string {
  const ref = { apiGroup: PRIVATE, kind: 'Gadget', name: 'other' };
  const spec = { infrastructureRef: ref, bootstrap: { configRef: ref }, text: 'x'.repeat(2500) };
  return JSON.stringify({ apiVersion: `${PRIVATE}/v1`, kind: 'Gadget', metadata: { name, labels: { a: 'b' } }, spec });
}

async function fill(server: Behind, direct: Line): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${PRIVATE}` },
    spec: {
      group: PRIVATE,
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await direct.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(definition));
  const isServed = (): Promise<boolean> => direct.ask('GET', placeOf(PRIVATE)).then(Boolean, () => false);
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 20));
  const lines = Array.from({ length: WRITERS }, () => new Line(server.url, server));
  let left = LISTED;
  const write = async (line: Line): Promise<void> => {
    while (left > 0) await line.ask('POST', placeOf(PRIVATE), gadget(`g-${(left -= 1)}`));
    line.close();
  };
  await Promise.all(lines.map(write));
}

/** What a way adds to requests. Ours shows the private group by its standard name; others show it as it is. */
class Way {
  readonly #direct: Line;
  readonly #proxied: Line;
  readonly #place: string;
  readonly #url: string;
  #count = 0;

  constructor(direct: Line, proxy: Served, group: string) {
    this.#direct = direct;
    this.#url = proxy.url;
    this.#proxied = new Line(proxy.url);
    this.#place = placeOf(group);
  }

  get(times: number): Promise<number> {
    return added(times, {
      direct: () => this.#direct.ask('GET', `${placeOf(PRIVATE)}/g-1`),
      proxied: () => this.#proxied.ask('GET', `${this.#place}/g-1`),
    });
  }

  patch(times: number): Promise<number> {
    const body = (): string => `{"metadata":{"labels":{"a":"${(this.#count += 1)}"}}}`;
    return added(times, {
      direct: () => this.#direct.ask('PATCH', `${placeOf(PRIVATE)}/g-1`, body(), MERGE),
      proxied: () => this.#proxied.ask('PATCH', `${this.#place}/g-1`, body(), MERGE),
    });
  }

  /** How much longer a list takes, in percent. */
  async list(times: number): Promise<number> {
    const [one, other]: [number[], number[]] = [[], []];
    for (let time = 0; time < times; time += 1) {
      one.push(await this.#direct.ask('GET', placeOf(PRIVATE)));
      other.push(await this.#proxied.ask('GET', this.#place));
    }
    return Math.max(0.01, (percentile(other, 50) / percentile(one, 50) - 1) * 100);
  }

  /** How much later an event comes, at 95 of a hundred. */
  async event(times: number, behind: Behind): Promise<number> {
    const query = '?watch=true&fieldSelector=metadata.name%3Dg-2';
    const lines = [new Line(behind.url, behind), new Line(this.#url)] as const;
    const direct = arrivals(await lines[0].open('GET', placeOf(PRIVATE) + query));
    const through = arrivals(await lines[1].open('GET', this.#place + query));
    const late: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const came = Promise.all([direct.next(), through.next()]);
      await this.#direct.ask(
        'PATCH',
        `${placeOf(PRIVATE)}/g-2`,
        `{"metadata":{"labels":{"a":"${(this.#count += 1)}"}}}`,
        MERGE,
      );
      const [one, other] = await came;
      late.push(other - one);
    }
    direct.leave();
    through.leave();
    for (const line of lines) line.close();
    return Math.max(0.001, percentile(late, 95));
  }
}

/** When the events of a watch come. */
function arrivals(response: IncomingMessage): { next(): Promise<number>; leave(): void } {
  let rest = '';
  let waiting: ((at: number) => void) | undefined;
  const early: number[] = [];
  response.setEncoding('utf8');
  response.on('error', () => {});
  response.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const events = lines.filter((line) => line.includes('"MODIFIED"')).length;
    for (let event = 0; event < events; event += 1) {
      if (waiting === undefined) early.push(performance.now());
      else waiting(performance.now());
      waiting = undefined;
    }
  });
  return {
    next: () => {
      const known = early.shift();
      return known === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(known);
    },
    leave: () => response.destroy(),
  };
}

/** What the way through a proxy adds to going directly. */
export async function wayRows(server: Behind, { kubectl, ours }: Proxies, quick: boolean): Promise<BenchRow[]> {
  const direct = new Line(server.url, server);
  await fill(server, direct);
  const times = quick ? 100 : 400;
  const works: readonly (readonly [what: string, unit: string, target: number, (way: Way) => Promise<number>])[] = [
    ['a get, 95 of 100', 'ms', 1, (way) => way.get(times)],
    ['a patch, 95 of 100', 'ms', 1, (way) => way.patch(times)],
    ['a watch event, 95 of 100', 'ms', 1, (way) => way.event(times, server)],
    [`a list of ${LISTED}`, '%', 5, (way) => way.list(quick ? 11 : 41)],
  ];
  const us = new Way(direct, ours, STANDARD);
  const them = kubectl === undefined ? undefined : new Way(direct, kubectl, PRIVATE);
  // Rows of their own: the ratio of two differences that are nearly zero means nothing.
  return works.flatMap(([what, unit, target, work]): BenchRow[] => [
    { name: `added to ${what}`, unit, better: 'lower', target, run: () => work(us) },
    ...(them === undefined
      ? []
      : [{ name: `added to ${what}, by kubectl proxy`, unit, better: 'lower' as const, run: () => work(them) }]),
  ]);
}
