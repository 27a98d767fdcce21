import { canonicalJson } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSidecar, RECORD_ANNOTATION, removeSidecar } from './index.js';
import type { AddOptions, ComponentName, PodTemplate } from './index.js';

const KUBECONFIG = '/etc/kube-apiserver-proxy/kubeconfig';

/** A field that may be left out, be null, or be an empty list. */
const field = <T>(key: string, list: fc.Arbitrary<T[]>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ [key]: null }) },
    { weight: 1, arbitrary: fc.constant({ [key]: [] }) },
    { weight: 4, arbitrary: list.map((value) => ({ [key]: value })) },
  );

const merged = (...fields: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...fields).map((each) => Object.assign({}, ...each) as object);

const variable = fc.oneof(
  fc.record({
    name: fc.constantFrom('KUBECONFIG', 'A', 'PORT'),
    value: fc.constantFrom('', '/old', ':8080', KUBECONFIG),
  }),
  fc.record({ name: fc.constant('KUBECONFIG'), valueFrom: fc.constant({ fieldRef: { fieldPath: 'metadata.name' } }) }),
);
const argument = fc.constantFrom(
  '--cloud-config',
  '--cloud-config=/old',
  '-cloud-config=/older',
  `--cloud-config=${KUBECONFIG}`,
  '--kubeconfig=/guest',
  '--port=8080',
  '/old',
  '--v=4',
);
const mount = fc.record({ name: fc.constantFrom('v', 'w'), mountPath: fc.constantFrom('/v', '/w', '/etc') });
const port = fc.record({ containerPort: fc.constantFrom(80, 8080, 8081, 18_080), name: fc.constant('web') });

const containerOf = (names: readonly string[]): fc.Arbitrary<object[]> =>
  fc.tuple(
    ...names.map((name) =>
      merged(
        fc.constant({ name, command: ['/program'] }),
        field('args', fc.array(argument, { maxLength: 4 })),
        field('env', fc.array(variable, { maxLength: 4 })),
        field('volumeMounts', fc.array(mount, { maxLength: 2 })),
        field('ports', fc.array(port, { maxLength: 2 })),
      ),
    ),
  );

const annotations = fc.oneof(
  fc.constant({}),
  fc.constant({ annotations: null }),
  fc.constant({ annotations: {} }),
  fc.constant({ annotations: { a: 'b', 'hypershift.openshift.io/release-image': 'r' } }),
);
const metadata = fc.oneof(
  fc.constant({}),
  fc.constant({ metadata: null }),
  annotations.map((each) => ({ metadata: each })),
  annotations.map((each) => ({ metadata: { labels: { app: 'a' }, ...each } })),
);

const template = fc
  .tuple(
    metadata,
    fc.subarray(['manager', 'other'], { minLength: 1 }).chain(containerOf),
    field('initContainers', containerOf(['init'])),
    field('volumes', fc.array(fc.record({ name: fc.constantFrom('v', 'w') }), { maxLength: 2 })),
    fc.record(
      {
        automountServiceAccountToken: fc.boolean(),
        hostNetwork: fc.boolean(),
        terminationGracePeriodSeconds: fc.constantFrom(1, 30, 600),
        serviceAccountName: fc.constant('s'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([meta, containers, inits, volumes, more]) => ({ ...meta, spec: { ...more, containers, ...inits, ...volumes } }))
  .map((each) => each as unknown as PodTemplate);

const options: fc.Arbitrary<AddOptions> = fc.record(
  {
    image: fc.constantFrom('capstan:1', 'capstan:2'),
    native: fc.boolean(),
    component: fc.constantFrom<ComponentName>('operator', 'cluster-api', 'machine-approver'),
    groupPairs: fc.constant(['a.io=b.io']),
  },
  { requiredKeys: ['image', 'native'] },
);

/** With a flag for the kubeconfig, where one container is known to take it. */
const autoscaler = template.map(
  (each) =>
    ({
      ...each,
      spec: {
        ...each.spec,
        containers: each.spec.containers.map((of, at) => (at > 0 ? of : { ...of, name: 'cluster-autoscaler' })),
      },
    }) as PodTemplate,
);
const cases = fc.oneof(
  fc.tuple(
    template,
    options.filter(({ component }) => component !== 'machine-approver'),
  ),
  fc.tuple(
    autoscaler,
    options.map((each): AddOptions => ({ ...each, component: 'cluster-autoscaler' })),
  ),
);

describe('A random pod template', () => {
  it('comes back from a proxy to the byte, in its order', () => {
    fc.assert(
      fc.property(cases, ([given, how]) => {
        const before = JSON.stringify(given);
        const added = addSidecar(given, how);
        const removed = removeSidecar(added);
        expect(JSON.stringify(given)).toBe(before);
        expect(added.metadata?.annotations).toHaveProperty([RECORD_ANNOTATION]);
        expect(canonicalJson(removed)).toBe(canonicalJson(given));
        expect(JSON.stringify(removed)).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });

  it('has one proxy after adding two, that of the last options', () => {
    fc.assert(
      fc.property(cases, options, ([given, how], other) => {
        const once = addSidecar(given, how);
        expect(JSON.stringify(addSidecar(once, how))).toBe(JSON.stringify(once));
        const replaced = addSidecar(once, { ...how, image: other.image, native: other.native });
        expect(JSON.stringify(replaced)).toBe(
          JSON.stringify(addSidecar(given, { ...how, image: other.image, native: other.native })),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps what others have changed in it since, when a proxy is added again and when it is removed', () => {
    const edit = (each: PodTemplate): PodTemplate => ({
      ...each,
      metadata: { ...each.metadata, annotations: { ...each.metadata?.annotations, edited: 'yes' } },
      spec: {
        ...each.spec,
        containers: each.spec.containers.map((of) =>
          of.name === 'kube-apiserver-proxy'
            ? of
            : { ...of, image: 'newer', env: [...(of.env ?? []), { name: 'NEW', value: '1' }] },
        ),
        volumes: [...(each.spec.volumes ?? []), { name: 'new' }],
      },
    });
    fc.assert(
      fc.property(cases, ([given, how]) => {
        const edited = edit(addSidecar(given, how));
        const expected = canonicalJson(edit(given));
        expect(canonicalJson(removeSidecar(edited))).toBe(expected);
        const again = addSidecar(edited, how);
        expect(canonicalJson(removeSidecar(again))).toBe(expected);
        expect(again.spec.containers.filter(({ name }) => name !== 'kube-apiserver-proxy')).toMatchObject(
          given.spec.containers.map(({ name }) => ({ name, image: 'newer' })),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('comes back when a server has filled in defaults', () => {
    const defaulted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(defaulted);
      if (typeof value !== 'object' || value === null) return value;
      const filled = Object.entries(value).map(([key, each]) => [key, defaulted(each)] as const);
      const more =
        'image' in value && value.image === 'capstan:1' ? { terminationMessagePath: '/dev/termination-log' } : {};
      const mode = 'downwardAPI' in value ? { defaultMode: 420 } : {};
      return { ...Object.fromEntries(filled), ...more, ...mode };
    };
    fc.assert(
      fc.property(cases, ([given, how]) => {
        const stored = defaulted(addSidecar(given, { ...how, image: 'capstan:1' })) as PodTemplate;
        expect(canonicalJson(removeSidecar(stored))).toBe(canonicalJson(given));
      }),
      { numRuns: 500 },
    );
  });
});

it.each(['', 'null', '{}', '{"version":2}'])('a record that reads %j is refused, not guessed', (text) => {
  const given: PodTemplate = { metadata: { annotations: { [RECORD_ANNOTATION]: text } }, spec: { containers: [] } };
  expect(() => removeSidecar(given)).toThrow(`annotation ${RECORD_ANNOTATION} is not readable by this version`);
});
