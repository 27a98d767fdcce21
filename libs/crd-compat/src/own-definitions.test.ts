import { kinds as compatibility } from '@capstan/api/apiextensions';
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as config } from '@capstan/api/config';
import { kinds as hypershift } from '@capstan/api/hypershift';
import { kinds as hosted } from '@capstan/api/hypershift-infrastructure';
import { kinds as agent } from '@capstan/api/infrastructure/agent';
import { kinds as aws } from '@capstan/api/infrastructure/aws';
import { kinds as azure } from '@capstan/api/infrastructure/azure';
import { kinds as gcp } from '@capstan/api/infrastructure/gcp';
import { kinds as kubevirt } from '@capstan/api/infrastructure/kubevirt';
import { kinds as metal3 } from '@capstan/api/infrastructure/metal3';
import { kinds as nutanix } from '@capstan/api/infrastructure/nutanix';
import { kinds as openstack } from '@capstan/api/infrastructure/openstack';
import { kinds as openstackResources } from '@capstan/api/infrastructure/openstack-resources';
import { kinds as powervs } from '@capstan/api/infrastructure/powervs';
import { kinds as vsphere } from '@capstan/api/infrastructure/vsphere';
import { kinds as machine } from '@capstan/api/machine';
import { crd } from '@capstan/api/model';
import { kinds as operator } from '@capstan/api/operator';
import { cloneJson } from '@capstan/meta';
import { describe, expect, test } from 'vitest';
import { mutationsOf } from './testing-mutations.js';
import { type RequirementCheck, prepareRequirement } from './requirement.js';

const definitions = [
  compatibility,
  clusterApi,
  config,
  hypershift,
  hosted,
  machine,
  operator,
  agent,
  aws,
  azure,
  gcp,
  kubevirt,
  metal3,
  nutanix,
  openstack,
  openstackResources,
  powervs,
  vsphere,
]
  .flat()
  .map((kind): [string, ReturnType<typeof crd>] => [`${kind.plural}.${kind.group}`, crd(kind)]);

/** Of so many changes one is proved, each day others; in the long run all. */
const every = process.env['CAPSTAN_PROOFS'] === '1' ? 1 : 61;
const dayMs = 86_400_000;
const slice = Number(process.env['CAPSTAN_SEED'] ?? Math.floor(Date.now() / dayMs)) % every;

/** Large CRDs take their time on a machine that is busy. */
const LIMIT = { timeout: 3_600_000 };

function required(definition: ReturnType<typeof crd>): RequirementCheck {
  const prepared = prepareRequirement(definition, { versions: definition.spec.versions.map(({ name }) => name) });
  if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors));
  return prepared.ok;
}

/** The CRD with an optional field more in every object that has fields. */
function withMore(definition: ReturnType<typeof crd>): object {
  const copy = cloneJson(definition);
  const grow = (node: Record<string, unknown>): void => {
    const properties = node['properties'] as Record<string, Record<string, unknown>> | undefined;
    for (const inner of Object.values(properties ?? {})) grow(inner);
    const items = node['items'] as Record<string, unknown> | undefined;
    if (items !== undefined) grow(items);
    // Where unknown fields are kept declaring a new one is a restriction: it constrains what may be there.
    if (properties !== undefined && node['x-kubernetes-preserve-unknown-fields'] !== true) {
      properties['somethingMore'] = { type: 'string', maxLength: 5 };
    }
  };
  for (const { schema } of copy.spec.versions) grow(schema.openAPIV3Schema as Record<string, unknown>);
  return copy;
}

describe('every CRD of ours', () => {
  test.each(definitions)('%s is compatible with itself and with more of itself', (_name, definition) => {
    const check = required(definition);
    expect(check.check(cloneJson(definition)).findings).toEqual([]);
    const rules = check.check(withMore(definition)).findings.filter(({ severity }) => severity === 'error');
    expect(rules.map(({ message }) => message)).toEqual([]);
  });

  test.each(definitions)(
    '%s shows the loss, narrowing or other type of any single field',
    LIMIT,
    (_name, definition) => {
      const check = required(definition);
      const missed: string[] = [];
      for (const { crd: live, path, version, what } of mutationsOf(definition, 1)) {
        // A server may refuse the change before anything is compared: a rule may name the field.
        const { findings } = check.check(live, { stored: live });
        if (!findings.some((each) => each.version === version && each.path === path)) {
          missed.push(`${version} ${path} ${what}`);
        }
      }
      expect(missed).toEqual([]);
    },
  );

  test(
    `changed in a field (slice ${slice} of ${every}) gives errors that can be proved`,
    { timeout: 3_600_000 },
    () => {
      const counts = { changes: 0, errors: 0, unproved: 0 };
      for (const [, definition] of definitions) {
        const check = required(definition);
        for (const { crd: live } of mutationsOf(definition, every, slice)) {
          counts.changes++;
          const broken = check.check(live, { stored: live }).findings.filter(({ severity }) => severity === 'error');
          counts.errors += broken.length;
          counts.unproved += broken.filter(({ proof }) => proof === 'cannot be proved').length;
        }
      }
      const { changes, errors, unproved } = counts;
      process.stdout.write(
        `slice ${slice} of ${every}: ${changes} changes, ${unproved} of ${errors} errors (${((100 * unproved) / errors).toFixed(1)} %) cannot be proved\n`,
      );
      expect(errors).toBeGreaterThan(definitions.length);
      expect(unproved / errors).toBeLessThanOrEqual(0.05);
    },
  );
});
