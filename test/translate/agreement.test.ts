import { builtinResources, structOf } from '@capstan/api/kubernetes';
import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { jsonOfProtobuf, protobufOfJson } from '@capstan/apiserver';
import { stringifyJson } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { protobufBodies } from '@capstan/translate/protobuf';
import { describe, expect, it } from 'vitest';
import { randomObject } from './random-objects.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(mapping, { protobuf: protobufBodies(mapping) });
const SEEDS = 12;

/** References in which JSON renames nothing, for no group with two names is used there; the type tables list them all. */
const ONLY_IN_PROTOBUF =
  /\.(template|jobTemplate|volumeClaimTemplates\[\])\.(metadata\.(ownerReferences|managedFields)\[\]\.apiVersion|spec\.dataSource(Ref)?\.apiGroup)$|\.(claimRef|target|targetRef|secrets\[\]|active\[\])\.apiVersion$|\.(roleRef|subjects\[\])\.apiGroup$|\.parentRef\.group$|\.resourceRules\[\]\.resourceNames\[\]$/;

function shown({ group, version, plural, namespaced }: ResourceDefinition, type: string, body: Uint8Array): Buffer {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const target = `${base}/${namespaced ? 'namespaces/n/' : ''}${plural}/x`;
  const asked = translator.request({ method: 'GET', target, headers: { accept: type } });
  if ('refuse' in asked) throw new TypeError(JSON.stringify(asked.refuse));
  const rewriter = asked.response(200, { 'content-type': type }).body;
  return rewriter === 'pass' ? Buffer.from(body) : Buffer.concat([...rewriter.push(body), ...rewriter.end()]);
}

/** Paths at which two values differ; a list without elements is none. */
function differences(one: unknown, other: unknown, path: string): string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    const isEmpty = [one, other].every((each) => each === undefined || (Array.isArray(each) && each.length === 0));
    return one === other || isEmpty ? [] : [path];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) =>
    differences(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      Array.isArray(one) ? `${path}[]` : `${path}.${key}`,
    ),
  );
}

describe('JSON and protobuf', () => {
  it.each(
    builtinResources.map((resource) => ({
      name: `${resource.plural} of ${resource.group}/${resource.version}`,
      resource,
    })),
  )('agree on $name', ({ resource }) => {
    const { group, version, kind } = resource;
    const struct = structOf(group, version, kind);
    if (struct === undefined) throw new TypeError(`no struct of ${kind}`);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const object = randomObject({ apiVersion, kind, struct }, seed);
      const bytes = protobufOfJson(object as { apiVersion: string; kind: string });
      const json = Buffer.from(stringifyJson(jsonOfProtobuf(bytes)));
      const fromJson = JSON.parse(shown(resource, 'application/json', json).toString()) as unknown;
      const fromProtobuf = jsonOfProtobuf(shown(resource, 'application/vnd.kubernetes.protobuf', bytes));
      const same = JSON.parse(stringifyJson(fromProtobuf)) as unknown;
      expect(differences(fromJson, same, kind).filter((path) => !ONLY_IN_PROTOBUF.test(path))).toEqual([]);
    }
  });
});
