import { JsonText } from './json-text.js';
import { BASE64_MARK, marked } from './marks.js';
import type { SeededRandom } from './random.js';

/** What goes through the translator, with marks around the groups that must be renamed; any other group must not be. */
export interface MarkedDocument {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly direction: 'request' | 'response';
  readonly text: string;
  /** The same without what is hidden. Default: all of it is shown, and comes back. */
  readonly shown?: string | undefined;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const S = 'cluster.x-k8s.io';
/** The platform's own. */
const HIDDEN = new Set([S, `infrastructure.${S}`, `a.b.${S}`]);

/** Makes documents. */
export class Documents {
  readonly #random: SeededRandom;
  readonly #json: JsonText;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#json = new JsonText(random);
  }

  /** The next one. */
  next(): MarkedDocument {
    const make = this.#random.pick(this.#makers);
    return make();
  }

  readonly #makers: readonly (() => MarkedDocument)[] = [
    (): MarkedDocument => this.#both(`/apis/${S}/v1beta2/namespaces/n/machines/x`, this.#json.custom()),
    (): MarkedDocument =>
      this.#both('/api/v1/namespaces/n/secrets/x', this.#json.plain(['data', 'stringData', 'type'])),
    (): MarkedDocument => this.#both('/apis/apps/v1/namespaces/n/deployments/x', this.#json.plain(['spec', 'status'])),
    (): MarkedDocument => this.#both('/apis/rbac.authorization.k8s.io/v1/clusterroles/x', this.#role()),
    (): MarkedDocument => this.#both('/api/v1/namespaces/n/events/x', this.#event()),
    (): MarkedDocument => this.#both('/api/v1/namespaces/n/resourcequotas/x', this.#quota()),
    (): MarkedDocument =>
      this.#read(
        `/apis/${S}/v1beta2/machines`,
        this.#list(() => this.#json.custom()),
      ),
    (): MarkedDocument =>
      this.#read(
        `/apis/${S}/v1beta2/machines?watch=1`,
        this.#events(() => this.#json.custom()),
      ),
    (): MarkedDocument =>
      this.#read(
        '/api/v1/secrets',
        this.#list(() => this.#json.plain(['data'])),
      ),
    (): MarkedDocument => this.#read(`/apis/${S}/v1beta2/machines?table`, this.#table()),
    (): MarkedDocument => this.#patch(),
    (): MarkedDocument => this.#write('application/merge-patch+json', this.#json.custom()),
    (): MarkedDocument => this.#read(`/apis/${S}`, this.#discoveredGroup()),
    (): MarkedDocument => this.#read(`/apis/${S}/v1beta1`, this.#discoveredResources()),
    (): MarkedDocument => this.#read('admission', this.#admission()),
    (): MarkedDocument => this.#read('conversion', this.#conversion()),
    (): MarkedDocument =>
      this.#hiding(DEFINITIONS, (items) => `{"kind":"CustomResourceDefinitionList","items":[${items.join()}]}`),
    (): MarkedDocument =>
      this.#hiding(
        `${DEFINITIONS}?table`,
        (rows) => `{"kind":"Table","rows":[${rows.map((row) => `{"object":${row}}`).join()}]}`,
      ),
    (): MarkedDocument =>
      this.#hiding(`${DEFINITIONS}?watch=1`, (items) =>
        items.map((item) => `{"type":"ADDED","object":${item}}\n`).join(''),
      ),
    (): MarkedDocument => this.#hidingGroups(),
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
    const read = this.#read(target, text);
    const how = this.#random.below(4);
    if (how < 2) return read;
    // Of a role, which is read whole, the metadata may be there once only.
    if (how === 2 || target.includes('clusterroles'))
      return { ...read, method: 'PATCH', contentType: 'application/merge-patch+json', direction: 'request' };
    // What is written back identifies its object.
    const written = text.replace('{', '{"metadata":{"uid":"u"},').replace(/,(?=\s*\}$)/, '');
    return { ...read, method: 'PUT', direction: 'request', text: written };
  }

  #role(): string {
    const rule = (): string => {
      const isNamed = this.#random.below(2) === 0;
      const name = `"machines.${isNamed ? marked(this.#json.group()) : this.#json.group()}"`;
      const groups = this.#random.list(3, () => `"${marked(this.#json.group())}"`);
      return this.#json.object([
        this.#json.entry('verbs', '["get"]'),
        this.#json.entry('apiGroups', this.#json.array(groups)),
        this.#json.entry('resources', isNamed ? '["customresourcedefinitions"]' : '["secrets"]'),
        this.#json.entry('resourceNames', this.#json.array([name])),
      ]);
    };
    return this.#json.object([
      this.#json.entry('metadata', this.#json.metadata()),
      this.#json.entry('rules', this.#json.array(this.#random.list(3, rule))),
    ]);
  }

  #event(): string {
    return this.#json.some([
      this.#json.entry('metadata', this.#json.metadata()),
      this.#json.entry('involvedObject', this.#json.reference()),
      this.#json.entry('message', this.#json.decoy()),
      this.#json.entry('related', this.#json.reference()),
    ]);
  }

  #quota(): string {
    const hard = this.#json.object([
      this.#json.entry(`count/machines.${marked(this.#json.group())}`, '"1"'),
      this.#json.entry(`x.${S}`, this.#json.decoy()),
    ]);
    return this.#json.some([
      this.#json.entry('spec', this.#json.object([this.#json.entry('hard', hard)])),
      this.#json.entry('metadata', this.#json.metadata()),
    ]);
  }

  #list(item: () => string): string {
    const items = this.#json.entry('items', this.#json.array(this.#random.list(3, item)));
    return this.#json.object([
      this.#json.entry('apiVersion', this.#json.version()),
      items,
      this.#json.entry('kind', '"XList"'),
      this.#json.entry('metadata', this.#json.untouched()),
    ]);
  }

  #events(item: () => string): string {
    return this.#random
      .list(
        3,
        () => `${this.#json.object([this.#json.entry('type', '"ADDED"'), this.#json.entry('object', item())])}\n`,
      )
      .join('');
  }

  #table(): string {
    const row = (): string =>
      this.#json.object([
        this.#json.entry('cells', this.#json.untouched()),
        this.#json.entry('object', this.#json.custom()),
      ]);
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1",${this.#json.entry('columnDefinitions', this.#json.untouched())},${this.#json.entry('rows', this.#json.array(this.#random.list(3, row)))}}`;
  }

  #operations(): string {
    const operation = (): string => {
      const [path, value] = this.#random.pick<() => [string, string]>([
        () => ['/apiVersion', this.#json.version()],
        () => ['/metadata/ownerReferences/0', this.#json.reference()],
        () => ['/metadata/managedFields', this.#json.array([this.#json.managed()])],
        () => [`/metadata/labels/${S}~1x`, this.#json.untouched()],
        () => ['/spec/infrastructureRef/apiGroup', `"${marked(this.#json.group())}"`],
        () => ['/spec', this.#json.anything()],
        () => ['', this.#json.custom()],
      ])();
      const entries = [
        this.#json.entry('op', `"${this.#random.pick(['add', 'test', 'replace'])}"`),
        this.#json.entry('path', `"${path}"`),
        this.#json.entry('value', value),
      ];
      return this.#json.object(this.#random.below(2) === 0 ? entries : entries.reverse());
    };
    return this.#json.array(this.#random.list(3, operation));
  }

  #patch(): MarkedDocument {
    return this.#write('application/json-patch+json', this.#operations());
  }

  #groupVersion(): string {
    return this.#json.object([
      this.#json.entry('groupVersion', this.#json.version()),
      this.#json.entry('version', this.#json.decoy()),
    ]);
  }

  #discoveredGroup(): string {
    return `{"kind":"APIGroup",${this.#json.entry('name', `"${marked(this.#json.group())}"`)},${this.#json.entry('versions', this.#json.array(this.#random.list(3, () => this.#groupVersion())))},${this.#json.entry('preferredVersion', this.#groupVersion())}}`;
  }

  #discoveredResources(): string {
    const resource = (): string =>
      this.#json.some([
        this.#json.entry('name', this.#json.decoy()),
        this.#json.entry('group', `"${marked(this.#json.group())}"`),
        this.#json.entry('kind', this.#json.decoy()),
      ]);
    return `{"kind":"APIResourceList",${this.#json.entry('groupVersion', this.#json.version())},${this.#json.entry('resources', this.#json.array(this.#random.list(3, resource)))}}`;
  }

  #admission(): string {
    const kind = this.#json.object([
      this.#json.entry('group', `"${marked(this.#json.group())}"`),
      this.#json.entry('kind', this.#json.decoy()),
    ]);
    const request = this.#json.some([
      this.#json.entry('kind', kind),
      this.#json.entry('object', this.#json.custom()),
      this.#json.entry('userInfo', this.#json.untouched()),
    ]);
    const patch = `"${BASE64_MARK}${this.#operations()}${BASE64_MARK}"`;
    return this.#json.object([
      this.#json.entry('request', request),
      this.#json.entry('response', this.#json.object([this.#json.entry('patch', patch)])),
    ]);
  }

  /** Some elements, each of a group. */
  #hidden(
    make: (group: string) => string,
    around: (elements: readonly string[]) => string,
  ): { text: string; shown: string } {
    const elements = this.#random.list(4, () => {
      const group = this.#json.group();
      return { isShown: !HIDDEN.has(group), text: make(group) };
    });
    const texts = (of: typeof elements): string[] => of.map(({ text }) => text);
    return { text: around(texts(elements)), shown: around(texts(elements.filter(({ isShown }) => isShown))) };
  }

  #hiding(target: string, around: (items: readonly string[]) => string): MarkedDocument {
    const item = (group: string): string =>
      `{"metadata":{"name":"machines.${marked(group)}",${this.#json.entry('labels', this.#json.untouched())}},"spec":{"group":"${marked(group)}"},"status":${this.#json.untouched()}}`;
    return { ...this.#read(target, ''), ...this.#hidden(item, around) };
  }

  #hidingGroups(): MarkedDocument {
    const target = '/apis';
    if (this.#random.below(2) === 0) {
      const item = (group: string): string =>
        `{"metadata":{"name":"${marked(group)}"},"versions":[{"version":"v1","resources":[{"responseKind":{"group":"${marked(group)}"},"subresources":[{"responseKind":{"group":"autoscaling"}}]}],"freshness":"Stale"}]}`;
      return {
        ...this.#read(target, ''),
        ...this.#hidden(item, (items) => `{"kind":"APIGroupDiscoveryList","items":[${items.join()}]}`),
      };
    }
    const group = (name: string): string =>
      `{"name":"${marked(name)}","versions":[{"groupVersion":"${marked(name)}/v1"}]}`;
    return {
      ...this.#read(target, ''),
      ...this.#hidden(group, (groups) => `{"kind":"APIGroupList","groups":[${groups.join()}]}`),
    };
  }

  #conversion(): string {
    const objects = this.#json.entry('objects', this.#json.array(this.#random.list(3, () => this.#json.custom())));
    const request = this.#json.object([
      this.#json.entry('uid', '"u"'),
      this.#json.entry('desiredAPIVersion', this.#json.version()),
      objects,
    ]);
    return this.#json.object([
      this.#json.entry('request', request),
      this.#json.entry('response', '{"convertedObjects":null}'),
    ]);
  }
}
