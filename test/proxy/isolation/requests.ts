import type { Dice } from './dice.js';
import { ACCEPTS, AGGREGATED, PATCHES } from './media-types.js';
import { spelledJson, spelledPath, spelledQuery, yamlOf } from './spelling.js';

/** What a round is about. */
export interface Names {
  /** As clients of the proxy say it. */
  readonly standard: string;
  readonly hidden: string;
  readonly namespace: string;
}

/** A request of a client that knows no manners. */
export interface WildRequest {
  readonly method: string;
  /** Path and query, or a whole URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Its answer must not have a private name anywhere: nothing that clients wrote is in it. */
  readonly isStrict: boolean;
  /** It does not end by itself. */
  readonly isWatch?: boolean;
}

const OBJECTS = ['same', 'other', 'third'] as const;
/** Makes requests of every kind. */
export class WildRequests {
  readonly #dice: Dice;
  readonly #names: Names;

  constructor(dice: Dice, names: Names) {
    this.#dice = dice;
    this.#names = names;
  }

  next(): WildRequest {
    const dice = this.#dice;
    const kind = dice.below(100);
    if (kind < 50) return this.#resource();
    if (kind < 65) return this.#definition();
    if (kind < 80) return this.#shared();
    if (kind < 90) return this.#document();
    return this.#review();
  }

  /** Mostly that of the clients, sometimes one that would lead behind the proxy. */
  #group(): string {
    const { standard, hidden } = this.#names;
    return this.#dice.one([standard, standard, standard, standard, hidden, standard.toUpperCase(), `${standard}.`]);
  }

  #request(
    method: string,
    segments: readonly string[],
    { body, isStrict = false, query = '', type }: { body?: string; isStrict?: boolean; query?: string; type?: string },
  ): WildRequest {
    const dice = this.#dice;
    const path = spelledPath(dice, segments);
    const target = `${dice.percent(1) ? 'http://127.0.0.1' : ''}${path}${this.#query(query)}`;
    const headers = {
      accept: dice.one(ACCEPTS),
      'user-agent': 'isolation',
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...(dice.percent(2) ? { 'x-http-method-override': 'DELETE' } : {}),
      ...(dice.percent(2) ? { 'x-forwarded-prefix': `/apis/${this.#names.hidden}` } : {}),
      ...(dice.percent(1) ? { connection: 'upgrade', upgrade: dice.one(['websocket', 'SPDY/3.1', 'h2c']) } : {}),
    };
    const isWatch = segments.includes('watch') || /(?:^|&)watch/.test(query);
    return { method, target, headers, isStrict, isWatch, ...(body === undefined ? {} : { body }) };
  }

  #query(query: string): string {
    if (query === '') return '';
    return `?${this.#dice.percent(30) ? spelledQuery(this.#dice, query) : query}`;
  }

  #resource(): WildRequest {
    const dice = this.#dice;
    const { namespace } = this.#names;
    const version = dice.one(['v1', 'v1', 'v1', 'v1beta1', 'v2']);
    const root = ['apis', this.#group(), version];
    const place = [...(dice.percent(80) ? ['namespaces', namespace] : []), 'gadgets'];
    const name = dice.one(OBJECTS);
    const sub = dice.one([[], [], [], ['status'], ['scale']]);
    const gadget = this.#gadget(name, version);
    switch (dice.below(11)) {
      case 0:
        return this.#request('GET', [...root, ...place], { query: dice.one(['', 'limit=1', 'resourceVersion=0']) });
      case 1:
        return this.#request('GET', [...root, ...place], {
          query: dice.one([
            'watch=1',
            'watch',
            'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
          ]),
        });
      case 2:
        return this.#request('GET', [...root, 'watch', ...place, ...(dice.percent(50) ? [name] : [])], {});
      case 3:
        return this.#request('POST', [...root, ...place], { body: spelledJson(dice, gadget) });
      case 4:
        return this.#request('POST', [...root, ...place], { body: yamlOf(gadget), type: 'application/yaml' });
      case 5:
        return this.#request('PUT', [...root, ...place, name, ...sub], { body: spelledJson(dice, gadget) });
      case 6:
      case 7:
        return this.#patch([...root, ...place, name, ...sub], gadget);
      case 8:
        return this.#request(
          'DELETE',
          [...root, ...place, name],
          dice.percent(50)
            ? { body: spelledJson(dice, { apiVersion: `${this.#group()}/v1`, kind: 'DeleteOptions' }) }
            : {},
        );
      case 9:
        return this.#request('DELETE', [...root, ...place], {
          query: dice.one(['', 'labelSelector=a%3Db', 'fieldSelector=metadata.name%3Dsame']),
        });
      default:
        return this.#request('GET', [...root, ...place, name, ...sub], {});
    }
  }

  #gadget(name: string, version = 'v1'): Record<string, unknown> {
    const group = this.#group();
    const dice = this.#dice;
    const metadata = {
      name,
      labels: { 'cluster.x-k8s.io/cluster-name': 'a', note: dice.one(['a', 'b']) },
      ...(dice.percent(20) ? { ownerReferences: [this.#owner()] } : {}),
    };
    const spec = { replicas: dice.below(5), ref: { apiGroup: this.#group(), apiVersion: `${this.#group()}/v1` } };
    return { apiVersion: `${group}/${version}`, kind: 'Gadget', metadata, spec };
  }

  #owner(): object {
    return {
      apiVersion: `${this.#group()}/v1`,
      kind: 'Gadget',
      name: 'same',
      uid: '00000000-0000-4000-8000-000000000000',
    };
  }

  #patch(segments: readonly string[], object: Record<string, unknown>): WildRequest {
    const dice = this.#dice;
    const how = dice.one(['merge', 'json', 'apply', 'apply', 'strategic'] as const);
    const operations = [
      { op: dice.one(['add', 'replace', 'test']), path: '/spec/ref/apiGroup', value: this.#group() },
      { op: 'add', path: '/metadata/labels/cluster.x-k8s.io~1cluster-name', value: this.#names.standard },
      {
        op: 'replace',
        path: dice.one(['', '/apiVersion', '/metadata/ownerReferences', '/metadata/ownerReferences/-1/apiVersion']),
        value: dice.one([object, `${this.#group()}/v1`, [this.#owner()]]),
      },
      {
        op: dice.one(['copy', 'move']),
        from: dice.one(['/metadata/labels/cluster.x-k8s.io~1cluster-name', '/spec/ref', '/spec/ref/apiGroup']),
        path: dice.one(['/spec/ref/apiGroup', '/rules/0/apiGroups/0', '/spec/other', '/metadata/labels/a']),
      },
    ].slice(dice.below(4));
    const value = how === 'json' ? operations : object;
    const body = how === 'apply' && dice.percent(50) ? yamlOf(object) : spelledJson(dice, value);
    const query = how === 'apply' ? 'fieldManager=wild&force=true' : '';
    return this.#request('PATCH', segments, { body, query, type: PATCHES[how] });
  }

  /** The platform's CRD must not be found by any name; ours may be written, and stays. */
  #definition(): WildRequest {
    const dice = this.#dice;
    const { hidden, standard } = this.#names;
    const root = ['apis', 'apiextensions.k8s.io', 'v1', 'customresourcedefinitions'];
    const ours = `gadgets.${standard}`;
    const platforms = `gadgets.${hidden}`;
    const none = `none.${standard}`;
    const named = (name: string): string => `fieldSelector=metadata.name${dice.one(['%3D', '%3D%3D', '='])}${name}`;
    const note = { metadata: { annotations: { note: String(dice.below(9)) } } };
    switch (dice.below(9)) {
      case 0:
        return this.#request('GET', root, {
          isStrict: true,
          query: dice.one(['', 'limit=3', named(ours), named(platforms)]),
        });
      case 1:
        return this.#request('GET', root, {
          isStrict: true,
          query: `watch=1&${dice.one([named(ours), named(platforms), 'allowWatchBookmarks=true'])}`,
        });
      case 2:
        return this.#request('GET', [...root, ours, ...dice.one([[], ['status']])], { isStrict: true });
      case 3:
        return this.#request('GET', [...root, platforms], {});
      case 4:
        return this.#request('PATCH', [...root, dice.one([ours, platforms])], {
          body: spelledJson(dice, note),
          type: PATCHES.merge,
        });
      case 5:
        return this.#request('DELETE', [...root, platforms], {});
      case 6:
        return this.#request('DELETE', root, { query: dice.one([named(platforms), named(none), 'dryRun=All']) });
      case 7:
        return this.#request('DELETE', [...root, ours], { query: 'dryRun=All' });
      default:
        return this.#request('POST', root, {
          body: spelledJson(dice, {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            metadata: { name: platforms },
            spec: { group: hidden },
          }),
          query: 'dryRun=All',
        });
    }
  }

  /** Shared kinds, which refer to ours. */
  #shared(): WildRequest {
    const dice = this.#dice;
    const { namespace } = this.#names;
    const [root, plural, object] = this.#sharedObject(dice.one(OBJECTS));
    const place = [...root, 'namespaces', namespace, plural];
    const name = (object['metadata'] as { name: string }).name;
    switch (dice.below(5)) {
      case 0:
        return this.#request('POST', place, { body: spelledJson(dice, object) });
      case 1:
        return this.#request('PUT', [...place, name], { body: spelledJson(dice, object) });
      case 2:
        return this.#patch([...place, name], object);
      case 3:
        return this.#request('GET', dice.percent(50) ? place : [...place, name], { query: dice.one(['', 'watch=1']) });
      default:
        return this.#request('DELETE', [...place, name], {});
    }
  }

  #sharedObject(name: string): readonly [root: readonly string[], plural: string, object: Record<string, unknown>] {
    const { namespace, standard } = this.#names;
    const metadata = { name, namespace, ownerReferences: [this.#owner()] };
    const group = this.#group();
    const involvedObject = { apiVersion: `${group}/v1`, kind: 'Gadget', name: 'same', namespace };
    const rules = [{ apiGroups: [group, standard], resources: ['gadgets'], verbs: ['get'] }];
    return this.#dice.one([
      [['api', 'v1'], 'secrets', { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { group } }],
      [['api', 'v1'], 'configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { group } }],
      [['api', 'v1'], 'events', { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, reason: 'Wild' }],
      [
        ['apis', 'rbac.authorization.k8s.io', 'v1'],
        'roles',
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules },
      ],
    ] as const);
  }

  #document(): WildRequest {
    const dice = this.#dice;
    const { standard, hidden } = this.#names;
    const segments = dice.one([
      ['apis'],
      ['apis'],
      ['apis', standard],
      ['apis', standard, 'v1'],
      ['apis', hidden],
      ['openapi', 'v3'],
      ['openapi', 'v3', 'apis', standard, 'v1'],
      ['openapi', 'v3', 'apis', hidden, 'v1'],
      ['openapi', 'v2'],
    ]);
    const request = this.#request('GET', segments, { isStrict: !segments.includes(hidden) });
    const v2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const accept = dice.one(['application/json', segments[0] === 'apis' ? AGGREGATED : v2, '*/*']);
    return { ...request, headers: { ...request.headers, accept } };
  }

  #review(): WildRequest {
    const dice = this.#dice;
    const { standard, namespace } = this.#names;
    const root = ['apis', 'authorization.k8s.io', 'v1'];
    const apiVersion = 'authorization.k8s.io/v1';
    const resourceAttributes = { group: standard, resource: 'gadgets', verb: 'get', namespace };
    return dice.percent(50)
      ? this.#request('POST', [...root, 'selfsubjectaccessreviews'], {
          body: spelledJson(dice, { apiVersion, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }),
          isStrict: true,
        })
      : this.#request('POST', [...root, 'selfsubjectrulesreviews'], {
          body: spelledJson(dice, { apiVersion, kind: 'SelfSubjectRulesReview', spec: { namespace } }),
          isStrict: true,
        });
  }
}
