import { jsonOfProtobuf, protobufOfJson, readEnvelope, writeEnvelope } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping, TranslationError } from '@capstan/translate';
import { ProtobufBody, ProtobufTranslator } from '@capstan/translate/protobuf';
import type { ProtobufRoute } from '@capstan/translate/protobuf';
import { describe, expect, it } from 'vitest';
import { renamedWords } from './reference.js';

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = new ProtobufTranslator({ mapping, message: (text) => renamedWords(mapping, text) });
const responses = new ProtobufTranslator({ mapping, direction: 'response' });
const requests = new ProtobufTranslator({ mapping, direction: 'request' });
const DEFINITIONS: ProtobufRoute = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};

type Typed = { readonly apiVersion: string; readonly kind: string } & Record<string, unknown>;

/** Sends an object there, and back; gives what arrived. */
function translated(object: Typed, route?: ProtobufRoute): Record<string, unknown> {
  const sent = Buffer.from(protobufOfJson(object));
  const forth = translator.body(sent, route);
  expect(Buffer.from(translator.body(forth, route)).equals(sent)).toBe(true);
  return jsonOfProtobuf(forth);
}

const owner = (apiVersion: string): Record<string, unknown> => ({ apiVersion, kind: 'Cluster', name: 'c', uid: 'u' });

describe('vector 8: a Secret owned by a Cluster', () => {
  const secret: Typed = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'c-kubeconfig',
      labels: { [`${STANDARD}/cluster-name`]: 'c', [`${STANDARD}/v1beta1`]: `${STANDARD}/v1beta2` },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"apiVersion":"${STANDARD}/v1beta2"}` },
      finalizers: [`addons.${STANDARD}`],
      ownerReferences: [owner(`${STANDARD}/v1beta2`), owner('apps/v1'), owner(`infrastructure.${STANDARD}/v1`)],
      managedFields: [
        {
          manager: 'm',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { [`f:${STANDARD}/v1`]: {} } },
        },
      ],
    },
    type: `${STANDARD}/secret`,
    data: { value: Buffer.from(`apiVersion: ${STANDARD}/v1beta2`).toString('base64') },
  };

  it('is stored with the private owner, and with nothing else changed', () => {
    const { metadata, ...rest } = jsonOfProtobuf(protobufOfJson(secret));
    const expected = {
      ...(metadata as object),
      ownerReferences: [owner(`${PRIVATE}/v1beta2`), owner('apps/v1'), owner(`infrastructure.${PRIVATE}/v1`)],
    };
    expect(translated(secret)).toEqual({ ...rest, metadata: expected });
  });

  it('comes back as the very same bytes where there is nothing to rename', () => {
    const bytes = protobufOfJson({
      apiVersion: 'v1',
      kind: 'Secret',
      data: { x: Buffer.from(STANDARD).toString('base64') },
    } as Typed);
    expect(translator.body(bytes)).toBe(bytes);
  });

  it('corrects lengths that need another byte', () => {
    for (let padding = 1; padding < 300; padding += 1) {
      const metadata = { name: 'n'.repeat(padding), ownerReferences: [owner(`${STANDARD}/v1`)] };
      const object = translated({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
      expect(object['metadata']).toMatchObject({ name: metadata.name, ownerReferences: [owner(`${PRIVATE}/v1`)] });
    }
  });
});

describe('vector 25: events', () => {
  it.each([
    { apiVersion: 'v1', of: { involvedObject: 'Machine', related: 'Node' } },
    { apiVersion: 'events.k8s.io/v1', of: { regarding: 'Machine', related: 'Node' } },
  ])('of $apiVersion point at the private group', ({ apiVersion, of }) => {
    const [about = ''] = Object.keys(of);
    const reference = {
      kind: 'Machine',
      apiVersion: `${STANDARD}/v1beta2`,
      name: `x.${STANDARD}`,
      fieldPath: STANDARD,
    };
    const event = {
      apiVersion,
      kind: 'Event',
      metadata: { name: 'e' },
      [about]: reference,
      related: reference,
      reason: STANDARD,
    };
    const expected = { ...reference, apiVersion: `${PRIVATE}/v1beta2` };
    expect(translated(event)).toMatchObject({ [about]: expected, related: expected, reason: STANDARD });
  });
});

describe('names that are groups only where a neighbouring field makes them so', () => {
  it.each([
    { resources: ['customresourcedefinitions'], isRenamed: true },
    { resources: ['secrets', 'customresourcedefinitions/status'], isRenamed: true },
    { resources: ['apiservices'], isRenamed: true },
    { resources: ['leases'], isRenamed: false },
    { resources: ['*'], isRenamed: true },
  ])('vector 30: a rule on $resources', ({ resources, isRenamed }) => {
    const rule = {
      verbs: ['get'],
      apiGroups: [STANDARD, '*', ''],
      resources,
      resourceNames: [`machines.${STANDARD}`, 'x'],
    };
    const name = `machines.${isRenamed ? PRIVATE : STANDARD}`;
    const role = translated({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: {},
      rules: [rule],
    });
    expect(role['rules']).toEqual([{ ...rule, apiGroups: [PRIVATE, '*', ''], resourceNames: [name, 'x'] }]);
    const list = translated({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleList',
      metadata: {},
      items: [{ metadata: {}, rules: [rule] }],
    });
    expect(list['items']).toMatchObject([{ rules: [{ resourceNames: [name, 'x'] }] }]);
  });

  it.each([
    ['customresourcedefinitions', PRIVATE],
    ['machines', STANDARD],
  ])('vector 24: an access review of %s', (resource, group) => {
    const attributes = { verb: 'get', group: `x.${STANDARD}`, resource, name: `machines.${STANDARD}` };
    for (const kind of ['SelfSubjectAccessReview', 'SubjectAccessReview', 'LocalSubjectAccessReview']) {
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind,
        spec: { resourceAttributes: attributes, groups: [STANDARD] },
      };
      expect(translated(review)['spec']).toMatchObject({
        resourceAttributes: { ...attributes, group: `x.${PRIVATE}`, name: `machines.${group}` },
      });
    }
  });

  it('vector 24: leaves the platform’s groups out of what a user may do', () => {
    const review = (...apiGroups: string[]): Typed => ({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: {},
      status: { resourceRules: [{ verbs: ['get'], apiGroups, resources: ['machines'] }] },
    });
    const shown = responses.body(protobufOfJson(review(STANDARD, PRIVATE, '', `x.${PRIVATE}`)));
    expect(Buffer.from(shown)).toEqual(Buffer.from(protobufOfJson(review(STANDARD, '', `x.${STANDARD}`))));
  });

  it('distinguishes a Status about a CRD from one about a machine', () => {
    const status = (kind: string, name: string): Typed => ({
      apiVersion: 'v1',
      kind: 'Status',
      status: 'Failure',
      message: `machines.${PRIVATE} "x" not found`,
      details: { group: PRIVATE, kind, name },
    });
    expect(translated(status('customresourcedefinitions', `machines.${PRIVATE}`))).toMatchObject({
      message: `machines.${STANDARD} "x" not found`,
      details: { group: STANDARD, name: `machines.${STANDARD}` },
    });
    expect(translated(status('machines', `machines.${PRIVATE}`))).toMatchObject({
      details: { name: `machines.${PRIVATE}` },
    });
  });
});

describe('CRDs of custom resources', () => {
  const definition = (group: string): Record<string, unknown> => ({
    metadata: { name: `machines.${group}`, labels: { [`${STANDARD}/v1beta1`]: 'v1beta1' } },
    spec: { group, names: { plural: 'machines', kind: 'Machine' }, scope: 'Namespaced', versions: [] },
  });

  it('are named after their other group', () => {
    const object = translated({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      ...definition(PRIVATE),
    });
    expect(object).toMatchObject({ metadata: { name: `machines.${STANDARD}` }, spec: { group: STANDARD } });
  });

  it('are not written under a private name, which would be the platform’s', () => {
    const written = (group: string): Uint8Array =>
      requests.body(
        protobufOfJson({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          ...definition(group),
        } as Typed),
      );
    expect(jsonOfProtobuf(written(STANDARD))).toMatchObject({ spec: { group: PRIVATE } });
    expect(() => written(PRIVATE)).toThrow(`the API group "${PRIVATE}" is not served here`);
  });

  it('vector 6: are listed once, the private ones', () => {
    const items = [definition(STANDARD), definition(PRIVATE), definition('example.com')];
    const list = protobufOfJson({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinitionList',
      metadata: {},
      items,
    } as Typed);
    const shown = jsonOfProtobuf(responses.body(list, DEFINITIONS));
    expect(shown['items']).toMatchObject([
      {
        metadata: { name: `machines.${STANDARD}`, labels: { [`${STANDARD}/v1beta1`]: 'v1beta1' } },
        spec: { group: STANDARD },
      },
      { spec: { group: 'example.com' } },
    ]);
    expect(shown['items']).toHaveLength(2);
    expect(jsonOfProtobuf(translator.body(list))['items']).toHaveLength(3);
  });

  it('vector 5: are known by their route where only metadata is shown', () => {
    const metadata = { name: `machines.${PRIVATE}`, labels: { [`${STANDARD}/v1beta1`]: 'v1beta1' } };
    const object: Typed = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
    expect(translated(object, DEFINITIONS)['metadata']).toEqual({ ...metadata, name: `machines.${STANDARD}` });
    expect(translated(object, { group: '', version: 'v1', resource: 'secrets' })['metadata']).toMatchObject({
      name: metadata.name,
    });
  });

  it('are left out of lists of metadata, the old form of which has its fields the other way round', () => {
    const item = (group: string): Uint8Array =>
      readEnvelope(
        protobufOfJson({
          apiVersion: 'meta.k8s.io/v1',
          kind: 'PartialObjectMetadata',
          metadata: { name: `a.${group}` },
        } as Typed),
      ).raw;
    const listOf = (tag: number, groups: readonly string[]): Buffer =>
      Buffer.concat(groups.flatMap((group) => [Buffer.of(tag, item(group).length), item(group)]));
    for (const [version, tag] of [
      ['v1', 0x12],
      ['v1beta1', 0x0a],
    ] as const) {
      const envelope = (groups: readonly string[]): Uint8Array =>
        writeEnvelope(`meta.k8s.io/${version}`, 'PartialObjectMetadataList', listOf(tag, groups));
      const shown = responses.body(envelope([STANDARD, PRIVATE, 'b.io']), DEFINITIONS);
      expect(Buffer.from(shown)).toEqual(Buffer.from(envelope([STANDARD, 'b.io'])));
    }
  });

  it('are named the other way round as StorageVersions', () => {
    const meta = readEnvelope(
      protobufOfJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${PRIVATE}.machines` } } as Typed),
    ).raw;
    const sent = writeEnvelope('internal.apiserver.k8s.io/v1alpha1', 'StorageVersion', meta);
    const expected = readEnvelope(
      protobufOfJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${STANDARD}.machines` } } as Typed),
    ).raw;
    expect(Buffer.from(readEnvelope(translator.body(sent)).raw)).toEqual(Buffer.from(expected));
  });
});

describe('kinds that have no table', () => {
  const schema: Typed = {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { ownerReferences: [owner(`${STANDARD}/v1`)] },
    spec: {
      priorityLevelConfiguration: { name: 'x' },
      rules: [{ subjects: [], resourceRules: [{ verbs: ['*'], apiGroups: [STANDARD], resources: ['*'] }] }],
    },
  };
  const { raw } = readEnvelope(protobufOfJson(schema));
  const { raw: translatedRaw } = readEnvelope(translator.body(protobufOfJson(schema)));

  it('are read like the version that has one, where they are like it', () => {
    const old = translator.body(writeEnvelope('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema', raw));
    expect(Buffer.from(readEnvelope(old).raw)).toEqual(Buffer.from(translatedRaw));
  });

  it('have their metadata translated all the same', () => {
    const sent = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', ownerReferences: [owner(`${STANDARD}/v1`)] },
    } as Typed;
    const unknown = writeEnvelope('example.k8s.io/v1', 'Thing', readEnvelope(protobufOfJson(sent)).raw);
    const expected = readEnvelope(translator.body(protobufOfJson(sent))).raw;
    expect(Buffer.from(readEnvelope(translator.body(unknown)).raw)).toEqual(Buffer.from(expected));
  });

  it('are found by the path where the body does not say what it is', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      rules: [{ verbs: [], apiGroups: [STANDARD] }],
    };
    const route = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles' };
    const nameless = translator.body(writeEnvelope('', '', readEnvelope(protobufOfJson(role)).raw), route);
    const expected = readEnvelope(translator.body(protobufOfJson(role))).raw;
    expect(Buffer.from(readEnvelope(nameless).raw)).toEqual(Buffer.from(expected));
    expect(expected.length).toBe(readEnvelope(protobufOfJson(role)).raw.length + PRIVATE.length - STANDARD.length);
  });

  it('are options of any group', () => {
    const options = writeEnvelope(`${STANDARD}/v1beta2`, 'DeleteOptions', Buffer.of(8, 0));
    expect(readEnvelope(translator.body(options))).toMatchObject({
      apiVersion: `${PRIVATE}/v1beta2`,
      raw: Buffer.of(8, 0),
    });
  });
});

describe('what cannot be translated', () => {
  it('is discovery, which is more than renaming', () => {
    const discovery = writeEnvelope('v1', 'APIGroupList', Buffer.from(STANDARD));
    expect(() => translator.body(discovery)).toThrow(
      'APIGroupList is translated as JSON, not as protobuf: ask for application/json',
    );
  });

  it('is a body that ends too soon, if it names a group', () => {
    const whole = Buffer.from(
      protobufOfJson({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ownerReferences: [owner(`${STANDARD}/v1`)] },
      } as Typed),
    );
    for (let size = whole.indexOf(STANDARD) + STANDARD.length; size < whole.length - 4; size += 1) {
      expect(() => translator.body(whole.subarray(0, size))).toThrow(TranslationError);
    }
    const short = whole.subarray(0, whole.indexOf(STANDARD));
    expect(translator.body(short)).toBe(short);
  });

  it('passes as it is, if it is no such body', () => {
    for (const text of ['', 'k8s\0', `{"apiVersion":"${STANDARD}/v1"}`, STANDARD]) {
      const bytes = Buffer.from(text);
      expect(translator.body(bytes)).toBe(bytes);
    }
  });

  it('is a body over the limit', () => {
    const body = new ProtobufBody(translator, undefined, 10);
    expect(body.push(Buffer.alloc(10))).toEqual([]);
    expect(() => body.push(Buffer.alloc(1))).toThrow('limit is 10');
  });
});
