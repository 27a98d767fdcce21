import { hostedCluster, nodePool } from '@capstan/api/hypershift';
import type { Kind, JsonSchema } from '@capstan/api/model';
import { structuralSchema } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import type { ConformanceCheck, Subject } from './conformance-subject.js';
import { must, poolInputsOf, outputsOfCluster, outputsOfPool, inputsOf } from './conformance-subject.js';
import type { Leaf } from './schema-walk.js';
import { hasPath, leavesOf, pathText, variantsOf } from './schema-walk.js';

const GATES = ['TechPreviewNoUpgrade'];

function platformSchema(kind: Kind): Record<string, JsonSchema> {
  const { properties } = structuralSchema(kind, 'v1beta1', { gates: GATES });
  return properties?.['spec']?.properties?.['platform']?.properties ?? {};
}

/** Fields of the settings of a platform, as the kind is published; none where it has no settings. */
function settingsLeaves(kind: Kind, { platform }: Subject): Leaf[] {
  const schema = platformSchema(kind)[platform.key];
  return schema === undefined ? [] : leavesOf(schema);
}

function unseen(leaves: readonly Leaf[], examples: readonly JsonObject[]): string[] {
  return leaves.filter(({ path }) => !examples.some((each) => hasPath(each, path))).map(({ path }) => pathText(path));
}

/** Fields whose change nobody notices in any of the examples. */
function unnoticed(
  leaves: readonly Leaf[],
  examples: readonly JsonObject[],
  say: (settings: JsonObject) => string,
): string[] {
  const isNoticed = (leaf: Leaf): boolean =>
    examples.some((example) => {
      if (!hasPath(example, leaf.path)) return false;
      const before = say(example);
      return variantsOf(example, leaf).some((variant) => say(variant) !== before);
    });
  return leaves.filter((leaf) => !isNoticed(leaf)).map(({ path }) => pathText(path));
}

function listOf(paths: readonly string[]): string {
  return paths.join(', ');
}

/** Every field that users may write does something, or has a reason why not. */
export function fieldChecks(subject: Subject): ConformanceCheck[] {
  const { examples, platform } = subject;
  const unused = platform.machineTemplate?.unused ?? {};
  if (examples.isPublished === false) return [];
  const clusterLeaves = settingsLeaves(hostedCluster, subject);
  const poolLeaves = platform.machineTemplate === undefined ? [] : settingsLeaves(nodePool, subject);
  const say = {
    cluster: (settings: JsonObject): string => JSON.stringify(outputsOfCluster(subject, inputsOf(subject, settings))),
    pool: (settings: JsonObject): string => JSON.stringify(outputsOfPool(subject, poolInputsOf(subject, settings))),
  };
  return [
    {
      name: 'HostedCluster and NodePool know the type',
      run: () => {
        for (const kind of [hostedCluster, nodePool]) {
          const types = platformSchema(kind)['type']?.['enum'] as readonly string[] | undefined;
          must(types?.includes(platform.type) === true, `${kind.kind} does not know the type ${platform.type}`);
        }
        const isThere = Object.hasOwn(platformSchema(hostedCluster), platform.key);
        must(
          isThere === platform.hasSettings,
          `hasSettings is ${platform.hasSettings}; the CRD of HostedCluster differs`,
        );
      },
    },
    {
      name: 'the examples have every field of a cluster and of a pool',
      run: () => {
        const missing = [...unseen(clusterLeaves, examples.clusters), ...unseen(poolLeaves, examples.pools)];
        must(missing.length === 0, `no example has ${listOf(missing)}`);
      },
    },
    {
      name: 'every field of a cluster does something',
      run: () => {
        const idle = unnoticed(clusterLeaves, examples.clusters, say.cluster);
        must(idle.length === 0, `nothing comes of ${listOf(idle)}`);
      },
    },
    {
      name: 'every field of a pool reaches its machines, is refused, or has a reason why it does not',
      run: () => {
        const idle = unnoticed(poolLeaves, examples.pools, say.pool);
        const silent = idle.filter((path) => !Object.hasOwn(unused, path));
        must(silent.length === 0, `nothing comes of ${listOf(silent)}: use them, or name them in unused`);
        const used = Object.keys(unused).filter((path) => !idle.includes(path));
        must(used.length === 0, `${listOf(used)} is called unused, but is no field or is used`);
        const terse = Object.keys(unused).filter((path) => (unused[path] ?? '').split(' ').length < 4);
        must(terse.length === 0, `say why ${listOf(terse)} is unused`);
      },
    },
  ];
}
