import { hostedCluster } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { JsonSchema } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';
import { copiesOf } from './references.js';

/** Paths of fields that hold a name and nothing else, and objects that have just one set at each. */
function* namedPlaces(schema: JsonSchema, path: string): Generator<string> {
  const { items, properties = {} } = schema as { items?: JsonSchema; properties?: Record<string, JsonSchema> };
  if (items !== undefined) yield* namedPlaces(items, `${path}[0]`);
  for (const [field, child] of Object.entries(properties)) {
    const fields = Object.keys((child as { properties?: object }).properties ?? {});
    if (fields.length === 1 && fields[0] === 'name') yield `${path}.${field}`;
    yield* namedPlaces(child, `${path}.${field}`);
  }
}

function specWith(path: string): object {
  const spec: Record<string, unknown> = {};
  let at: Record<string, unknown> = spec;
  const steps = path.split('.').slice(1);
  for (const [index, step] of steps.entries()) {
    const value: Record<string, unknown> = index === steps.length - 1 ? { name: 'it' } : {};
    if (step.endsWith('[0]')) at[step.slice(0, -3)] = [value];
    else at[step] = value;
    at = value;
  }
  return spec;
}

describe('what a spec names', () => {
  const schema = crd(hostedCluster).spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
  const places = [...namedPlaces(schema as JsonSchema, 'spec')].filter((path) => !path.startsWith('spec.platform.'));

  it('is known wherever the schema has a name and nothing else', () => {
    expect(places.length).toBeGreaterThan(30);
    for (const path of places)
      expect([path, copiesOf({ spec: specWith(path) }).map((each) => each.path)]).toEqual([path, [path]]);
  });

  it.each<[string, string, string, string]>([
    ['spec.pullSecret', 'Secret', 'it', 'pull-secret'],
    ['spec.sshKey', 'Secret', 'it', 'ssh-key'],
    ['spec.additionalTrustBundle', 'ConfigMap', 'it', 'user-ca-bundle'],
    ['spec.configuration.proxy.trustedCA', 'ConfigMap', 'it', 'it'],
    ['spec.configuration.oauth.identityProviders[0].github.clientSecret', 'Secret', 'it', 'it'],
    ['spec.etcd.unmanaged.tls.clientSecret', 'Secret', 'it', 'it'],
  ])('%s is a %s', (path, kind, name, as) => {
    expect(copiesOf({ spec: specWith(path) })).toEqual([{ path, kind, name, as }]);
  });

  it('is copied once, however often it is named', () => {
    const provider = { github: { ca: { name: 'a' }, clientSecret: { name: 'a' } } };
    const spec = { configuration: { oauth: { identityProviders: [provider, provider] } }, sshKey: { name: '' } };
    expect(copiesOf({ spec }).map(({ as, kind }) => `${kind} ${as}`)).toEqual(['ConfigMap a', 'Secret a']);
  });
});
