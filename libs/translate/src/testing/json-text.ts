import { marked } from './marks.js';
import type { SeededRandom } from './random.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const GROUPS = [
  S,
  P,
  `infrastructure.${S}`,
  `infrastructure.${P}`,
  `a.b.${S}`,
  'multicluster.x-k8s.io',
  'apps',
  'example.com',
];
const SCALARS = [
  '1',
  '1.0',
  '-0',
  '9007199254740993',
  '1e400',
  'true',
  'null',
  '""',
  String.raw`"\\"`,
  String.raw`"\""`,
  '"é😀"',
  String.raw`"\u2028\u003c"`,
];

/** Random JSON, written in many ways, with the pieces that objects have in common. */
export class JsonText {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  #space(): string {
    return this.#random.pick(['', '', '', '', ' ', '\n  ']);
  }

  object(entries: readonly string[]): string {
    return `{${this.#space()}${entries.join(`${this.#space()},${this.#space()}`)}${this.#space()}}`;
  }

  array(items: readonly string[]): string {
    return `[${this.#space()}${items.join(`,${this.#space()}`)}]`;
  }

  entry(key: string, value: string): string {
    return `"${key}"${this.#space()}:${this.#space()}${value}`;
  }

  /** Entries, some of which may be missing. */
  some(entries: readonly string[]): string {
    return this.object(entries.filter(() => this.#random.below(5) > 0));
  }

  group(): string {
    return this.#random.pick(GROUPS);
  }

  version(): string {
    return `"${marked(this.group())}/v1beta${this.#random.below(3)}"`;
  }

  /** Anything that looks like what is renamed and is not. */
  decoy(): string {
    const group = this.group();
    return this.#random.pick([
      `"${group}"`,
      `"${group}/v1"`,
      `"{\\"apiVersion\\":\\"${group}/v1\\"}"`,
      `"machines.${group}"`,
      ...SCALARS,
    ]);
  }

  /** What is within a place that nobody looks into. */
  untouched(depth = 2): string {
    const keys = ['apiVersion', 'apiGroup', 'group', 'ownerReferences', 'x', `${S}/cluster-name`, 'metadata', 'items'];
    if (depth === 0 || this.#random.below(3) === 0) return this.decoy();
    if (this.#random.below(3) === 0) return this.array(this.#random.list(3, () => this.untouched(depth - 1)));
    return this.object(this.#random.list(3, () => this.entry(this.#random.pick(keys), this.untouched(depth - 1))));
  }

  reference(): string {
    return this.some([
      this.entry('apiVersion', this.version()),
      this.entry('kind', this.decoy()),
      this.entry('uid', '"u"'),
      this.entry('group', this.decoy()),
    ]);
  }

  managed(): string {
    return this.some([
      this.entry('manager', this.decoy()),
      this.entry('apiVersion', this.version()),
      this.entry('fieldsV1', this.untouched(3)),
    ]);
  }

  metadata(): string {
    const untouched = ['labels', 'annotations', 'finalizers', 'name', 'resourceVersion'].map((key) =>
      this.entry(key, this.untouched()),
    );
    return this.some([
      ...untouched,
      this.entry('ownerReferences', this.array(this.#random.list(2, () => this.reference()))),
      this.entry('managedFields', this.array(this.#random.list(2, () => this.managed()))),
    ]);
  }

  /** Whatever a custom object holds. */
  anything(depth = 3): string {
    if (depth === 0 || this.#random.below(4) === 0) return this.decoy();
    if (this.#random.below(4) === 0) return this.array(this.#random.list(3, () => this.anything(depth - 1)));
    return this.object(this.#random.list(4, () => this.#random.pick(this.#members)(depth - 1)));
  }

  readonly #members: readonly ((depth: number) => string)[] = [
    (): string => this.entry('apiVersion', this.version()),
    (): string => this.entry('apiGroup', `"${marked(this.group())}"`),
    (): string => this.entry('labels', this.untouched()),
    (): string => this.entry('metadata', this.metadata()),
    (depth): string =>
      this.entry(this.#random.pick(['spec', 'ref', 'é', 'apiVersion2', 'templateRef']), this.anything(depth)),
  ];

  custom(): string {
    return this.some([
      this.entry('apiVersion', this.version()),
      this.entry('kind', '"Machine"'),
      this.entry('metadata', this.metadata()),
      this.entry('spec', this.anything()),
      this.entry('status', this.anything()),
    ]);
  }

  plain(others: readonly string[]): string {
    const more = others.map((key) => this.entry(key, this.untouched()));
    return this.some([
      this.entry('kind', '"Thing"'),
      this.entry('apiVersion', this.version()),
      this.entry('metadata', this.metadata()),
      ...more,
    ]);
  }
}
