import type { SeededRandom } from './random.js';

/** What goes through the translator, with marks around the groups that must be renamed; any other group must not be. */
export interface MarkedDocument {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly direction: 'request' | 'response';
  readonly text: string;
}

const GROUP_MARK = '\u0001';
const BASE64_MARK = '\u0002';

/** A group that must be renamed. */
const marked = (group: string): string => `${GROUP_MARK}${group}${GROUP_MARK}`;

/** The text of a document with its groups named by a function. */
export function render(text: string, name: (group: string) => string): string {
  const named = text.replaceAll(new RegExp(`${GROUP_MARK}([^${GROUP_MARK}]*)${GROUP_MARK}`, 'g'), (_, group: string) =>
    name(group),
  );
  return named.replaceAll(new RegExp(`${BASE64_MARK}([^${BASE64_MARK}]*)${BASE64_MARK}`, 'g'), (_, inner: string) =>
    Buffer.from(inner).toString('base64'),
  );
}

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

/** Makes documents. */
export class Documents {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** The next one. */
  next(): MarkedDocument {
    const make = this.#random.pick(this.#makers);
    return make();
  }

  readonly #makers: readonly (() => MarkedDocument)[] = [
    (): MarkedDocument => this.#both(`/apis/${S}/v1beta2/namespaces/n/machines/x`, this.#custom()),
    (): MarkedDocument => this.#both('/api/v1/namespaces/n/secrets/x', this.#plain(['data', 'stringData', 'type'])),
    (): MarkedDocument => this.#both('/apis/apps/v1/namespaces/n/deployments/x', this.#plain(['spec', 'status'])),
    (): MarkedDocument => this.#both('/apis/rbac.authorization.k8s.io/v1/clusterroles/x', this.#role()),
    (): MarkedDocument => this.#both('/api/v1/namespaces/n/events/x', this.#event()),
    (): MarkedDocument => this.#both('/api/v1/namespaces/n/resourcequotas/x', this.#quota()),
    (): MarkedDocument =>
      this.#read(
        `/apis/${S}/v1beta2/machines`,
        this.#list(() => this.#custom()),
      ),
    (): MarkedDocument =>
      this.#read(
        `/apis/${S}/v1beta2/machines?watch=1`,
        this.#events(() => this.#custom()),
      ),
    (): MarkedDocument =>
      this.#read(
        '/api/v1/secrets',
        this.#list(() => this.#plain(['data'])),
      ),
    (): MarkedDocument => this.#read(`/apis/${S}/v1beta2/machines?table`, this.#table()),
    (): MarkedDocument => this.#patch(),
    (): MarkedDocument => this.#write('application/merge-patch+json', this.#custom()),
    (): MarkedDocument => this.#read(`/apis/${S}`, this.#discoveredGroup()),
    (): MarkedDocument => this.#read(`/apis/${S}/v1beta1`, this.#discoveredResources()),
    (): MarkedDocument => this.#read('admission', this.#admission()),
    (): MarkedDocument => this.#read('conversion', this.#conversion()),
  ];

  #read(target: string, text: string): MarkedDocument {
    return { method: 'GET', target, contentType: 'application/json', direction: 'response', text };
  }

  #write(contentType: string, text: string): MarkedDocument {
    return {
      method: 'PATCH',
      target: `/apis/${S}/v1beta2/namespaces/n/machines/x`,
      contentType,
      direction: 'request',
      text,
    };
  }

  #both(target: string, text: string): MarkedDocument {
    const isRead = this.#random.below(2) === 0;
    return isRead ? this.#read(target, text) : { ...this.#read(target, text), method: 'PUT', direction: 'request' };
  }

  // -- pieces

  #space(): string {
    return this.#random.pick(['', '', '', '', ' ', '\n  ']);
  }

  #object(entries: readonly string[]): string {
    return `{${this.#space()}${entries.join(`${this.#space()},${this.#space()}`)}${this.#space()}}`;
  }

  #array(items: readonly string[]): string {
    return `[${this.#space()}${items.join(`,${this.#space()}`)}]`;
  }

  #entry(key: string, value: string): string {
    return `"${key}"${this.#space()}:${this.#space()}${value}`;
  }

  /** Entries, some of which may be missing. */
  #some(entries: readonly string[]): string {
    return this.#object(entries.filter(() => this.#random.below(5) > 0));
  }

  #group(): string {
    return this.#random.pick(GROUPS);
  }

  #version(): string {
    return `"${marked(this.#group())}/v1beta${this.#random.below(3)}"`;
  }

  /** Anything that looks like what is renamed and is not. */
  #decoy(): string {
    const group = this.#group();
    return this.#random.pick([
      `"${group}"`,
      `"${group}/v1"`,
      `"{\\"apiVersion\\":\\"${group}/v1\\"}"`,
      `"machines.${group}"`,
      ...SCALARS,
    ]);
  }

  /** What is within a place that nobody looks into. */
  #untouched(depth = 2): string {
    const keys = ['apiVersion', 'apiGroup', 'group', 'ownerReferences', 'x', `${S}/cluster-name`, 'metadata', 'items'];
    if (depth === 0 || this.#random.below(3) === 0) return this.#decoy();
    if (this.#random.below(3) === 0) return this.#array(this.#random.list(3, () => this.#untouched(depth - 1)));
    return this.#object(this.#random.list(3, () => this.#entry(this.#random.pick(keys), this.#untouched(depth - 1))));
  }

  #reference(): string {
    return this.#some([
      this.#entry('apiVersion', this.#version()),
      this.#entry('kind', this.#decoy()),
      this.#entry('uid', '"u"'),
      this.#entry('group', this.#decoy()),
    ]);
  }

  #managed(): string {
    return this.#some([
      this.#entry('manager', this.#decoy()),
      this.#entry('apiVersion', this.#version()),
      this.#entry('fieldsV1', this.#untouched(3)),
    ]);
  }

  #metadata(): string {
    const untouched = ['labels', 'annotations', 'finalizers', 'name', 'resourceVersion'].map((key) =>
      this.#entry(key, this.#untouched()),
    );
    return this.#some([
      ...untouched,
      this.#entry('ownerReferences', this.#array(this.#random.list(2, () => this.#reference()))),
      this.#entry('managedFields', this.#array(this.#random.list(2, () => this.#managed()))),
    ]);
  }

  /** Whatever a custom object holds. */
  #anything(depth = 3): string {
    if (depth === 0 || this.#random.below(4) === 0) return this.#decoy();
    if (this.#random.below(4) === 0) return this.#array(this.#random.list(3, () => this.#anything(depth - 1)));
    return this.#object(this.#random.list(4, () => this.#random.pick(this.#members)(depth - 1)));
  }

  readonly #members: readonly ((depth: number) => string)[] = [
    (): string => this.#entry('apiVersion', this.#version()),
    (): string => this.#entry('apiGroup', `"${marked(this.#group())}"`),
    (): string => this.#entry('labels', this.#untouched()),
    (): string => this.#entry('metadata', this.#metadata()),
    (depth): string =>
      this.#entry(this.#random.pick(['spec', 'ref', 'é', 'apiVersion2', 'templateRef']), this.#anything(depth)),
  ];

  #custom(): string {
    return this.#some([
      this.#entry('apiVersion', this.#version()),
      this.#entry('kind', '"Machine"'),
      this.#entry('metadata', this.#metadata()),
      this.#entry('spec', this.#anything()),
      this.#entry('status', this.#anything()),
    ]);
  }

  #plain(others: readonly string[]): string {
    const more = others.map((key) => this.#entry(key, this.#untouched()));
    return this.#some([
      this.#entry('kind', '"Thing"'),
      this.#entry('apiVersion', this.#version()),
      this.#entry('metadata', this.#metadata()),
      ...more,
    ]);
  }

  #role(): string {
    const rule = (): string => {
      const isNamed = this.#random.below(2) === 0;
      const name = `"machines.${isNamed ? marked(this.#group()) : this.#group()}"`;
      const groups = this.#random.list(3, () => `"${marked(this.#group())}"`);
      return this.#object([
        this.#entry('verbs', '["get"]'),
        this.#entry('apiGroups', this.#array(groups)),
        this.#entry('resources', isNamed ? '["customresourcedefinitions"]' : '["secrets"]'),
        this.#entry('resourceNames', this.#array([name])),
      ]);
    };
    return this.#object([
      this.#entry('metadata', this.#metadata()),
      this.#entry('rules', this.#array(this.#random.list(3, rule))),
    ]);
  }

  #event(): string {
    return this.#some([
      this.#entry('metadata', this.#metadata()),
      this.#entry('involvedObject', this.#reference()),
      this.#entry('message', this.#decoy()),
      this.#entry('related', this.#reference()),
    ]);
  }

  #quota(): string {
    const hard = this.#object([
      this.#entry(`count/machines.${marked(this.#group())}`, '"1"'),
      this.#entry(`x.${S}`, this.#decoy()),
    ]);
    return this.#some([
      this.#entry('spec', this.#object([this.#entry('hard', hard)])),
      this.#entry('metadata', this.#metadata()),
    ]);
  }

  #list(item: () => string): string {
    const items = this.#entry('items', this.#array(this.#random.list(3, item)));
    return this.#object([
      this.#entry('apiVersion', this.#version()),
      items,
      this.#entry('kind', '"XList"'),
      this.#entry('metadata', this.#untouched()),
    ]);
  }

  #events(item: () => string): string {
    return this.#random
      .list(3, () => `${this.#object([this.#entry('type', '"ADDED"'), this.#entry('object', item())])}\n`)
      .join('');
  }

  #table(): string {
    const row = (): string =>
      this.#object([this.#entry('cells', this.#untouched()), this.#entry('object', this.#custom())]);
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1",${this.#entry('columnDefinitions', this.#untouched())},${this.#entry('rows', this.#array(this.#random.list(3, row)))}}`;
  }

  #operations(): string {
    const operation = (): string => {
      const [path, value] = this.#random.pick<() => [string, string]>([
        () => ['/apiVersion', this.#version()],
        () => ['/metadata/ownerReferences/0', this.#reference()],
        () => ['/metadata/managedFields', this.#array([this.#managed()])],
        () => [`/metadata/labels/${S}~1x`, this.#untouched()],
        () => ['/spec/infrastructureRef/apiGroup', `"${marked(this.#group())}"`],
        () => ['/spec', this.#anything()],
        () => ['', this.#custom()],
      ])();
      const entries = [
        this.#entry('op', `"${this.#random.pick(['add', 'test', 'replace'])}"`),
        this.#entry('path', `"${path}"`),
        this.#entry('value', value),
      ];
      return this.#object(this.#random.below(2) === 0 ? entries : entries.reverse());
    };
    return this.#array(this.#random.list(3, operation));
  }

  #patch(): MarkedDocument {
    return this.#write('application/json-patch+json', this.#operations());
  }

  #groupVersion(): string {
    return this.#object([this.#entry('groupVersion', this.#version()), this.#entry('version', this.#decoy())]);
  }

  #discoveredGroup(): string {
    return `{"kind":"APIGroup",${this.#entry('name', `"${marked(this.#group())}"`)},${this.#entry('versions', this.#array(this.#random.list(3, () => this.#groupVersion())))},${this.#entry('preferredVersion', this.#groupVersion())}}`;
  }

  #discoveredResources(): string {
    const resource = (): string =>
      this.#some([
        this.#entry('name', this.#decoy()),
        this.#entry('group', `"${marked(this.#group())}"`),
        this.#entry('kind', this.#decoy()),
      ]);
    return `{"kind":"APIResourceList",${this.#entry('groupVersion', this.#version())},${this.#entry('resources', this.#array(this.#random.list(3, resource)))}}`;
  }

  #admission(): string {
    const kind = this.#object([this.#entry('group', `"${marked(this.#group())}"`), this.#entry('kind', this.#decoy())]);
    const request = this.#some([
      this.#entry('kind', kind),
      this.#entry('object', this.#custom()),
      this.#entry('userInfo', this.#untouched()),
    ]);
    const patch = `"${BASE64_MARK}${this.#operations()}${BASE64_MARK}"`;
    return this.#object([
      this.#entry('request', request),
      this.#entry('response', this.#object([this.#entry('patch', patch)])),
    ]);
  }

  #conversion(): string {
    const objects = this.#entry('objects', this.#array(this.#random.list(3, () => this.#custom())));
    const request = this.#object([
      this.#entry('uid', '"u"'),
      this.#entry('desiredAPIVersion', this.#version()),
      objects,
    ]);
    return this.#object([this.#entry('request', request), this.#entry('response', '{"convertedObjects":null}')]);
  }
}
