import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { eventually } from '../runtime/world.js';
import { DEFINITIONS, GROUP, kindOf, REQUIREMENTS } from './stage.js';
import type { Stage } from './stage.js';

const SHIPS = `ships.${GROUP}`;
const PORTS = `ports.${GROUP}`;
const ACTIVE = `ship-${GROUP}-ccapio`;
const FUTURE = `ship-${GROUP}-ccapio-4.23.0`;
const BOTH = 'ClusterAPIMachineManagementAWS=true,ClusterAPIMachineManagementAWSUpgradeability=true';
const REDUCED = 'ClusterAPIMachineManagementAWSUpgradeability=true';

const spec = (properties: object): Readonly<Record<string, unknown>> => ({ spec: { type: 'object', properties } });
const ship = kindOf('Ship', { v1: spec({ name: { type: 'string' } }) });
const newShip = kindOf('Ship', { v1: spec({ name: { type: 'string' }, flag: { type: 'string' } }) });
const port = kindOf('Port', { v1: {} });

/** Something that the operator does, and its title. */
type Story = readonly [title: string, story: (stage: Stage) => Promise<void>];

function says(stage: Stage, type: string, text: string): Promise<true> {
  return eventually(`${type} says ${text}`, async () => ((await stage.says(type)).startsWith(text) ? true : undefined));
}

/** The checker is played. */
export const stories: readonly Story[] = [
  [
    'installs what it manages, and brings back what somebody changed',
    async (stage) => {
      await stage.carry('core', [ship, port], { packed: true });
      await stage.run(BOTH);
      const made = await eventually('it is installed', () => stage.find(DEFINITIONS, SHIPS));
      expect(made.metadata.labels).toMatchObject({ 'capi-operator.openshift.io/managed-by': 'cluster-api' });
      await says(stage, 'Upgradeable', 'True: Nothing speaks against an upgrade');
      await eventually('the generation is observed', () => stage.observedGeneration());
      await stage.drop(DEFINITIONS, { name: PORTS });
      await eventually('what was deleted is there again', () => stage.find(DEFINITIONS, PORTS));
      const value = { metadata: { annotations: { 'capi-operator.openshift.io/content': 'tampered' } } };
      const before = await stage.admin.patch(DEFINITIONS, SHIPS, { type: 'merge', value });
      await eventually('what was changed is changed back', async () => {
        const now = await stage.find(DEFINITIONS, SHIPS);
        return now?.metadata.resourceVersion !== before.metadata.resourceVersion ? true : undefined;
      });
    },
  ],

  [
    'says what is so, whoever wrote something else into a status',
    async (stage) => {
      await stage.carry('core', [ship]);
      await stage.run(BOTH);
      await says(stage, 'Upgradeable', 'True: Nothing speaks against an upgrade');
      const generation = await eventually('the generation is observed', () => stage.observedGeneration());
      const lastTransitionTime = '2099-01-01T00:00:00Z';
      const lie = { type: 'Upgradeable', status: 'False', reason: 'Lie', message: 'it is not', lastTransitionTime };
      const isPutRight = async (): Promise<void> => {
        await stage.overwrite('operator', { conditions: [lie], versions: [{ name: 'operator', version: '1.2.3' }] });
        await says(stage, 'Upgradeable', 'True: Nothing speaks against an upgrade');
        await says(stage, 'Degraded', 'False');
      };
      await isPutRight();
      // The schema lets it never go back, so it stays; and all else goes on.
      await stage.overwrite('api', { observedRevisionGeneration: generation + 998 });
      await isPutRight();
    },
  ],

  [
    'a definition that somebody else looks after gets a requirement and not one write',
    async (stage) => {
      const { metadata } = await stage.admin.create<KubeObject>(DEFINITIONS, newShip);
      await stage.carry('core', [ship]);
      await stage.run(BOTH);
      await says(stage, 'Upgradeable', `False: ${SHIPS} is there already and not this operator's`);
      const generation = await stage.list(SHIPS);
      const requirement = await eventually('it is required', () =>
        stage.find<CompatibilityRequirement>(REQUIREMENTS, ACTIVE),
      );
      expect(requirement.spec).toMatchObject({
        customResourceDefinitionSchemaValidation: { action: 'Deny' },
        objectSchemaValidation: { action: 'Deny' },
      });
      await says(stage, 'Progressing', `True: ${ACTIVE} for ${SHIPS} has not been checked yet`);
      expect(await stage.observedGeneration()).not.toBe(generation);
      await stage.judge(ACTIVE);
      await eventually('the generation is observed', async () =>
        (await stage.observedGeneration()) === generation ? true : undefined,
      );
      await says(stage, 'Upgradeable', 'True');
      const after = await stage.find(DEFINITIONS, SHIPS);
      expect([after?.metadata.generation, after?.metadata.labels, after?.metadata.annotations]).toEqual([
        metadata.generation,
        undefined,
        undefined,
      ]);
      const writers = after?.metadata.managedFields?.map(({ manager }) => manager) ?? [];
      expect(writers).not.toContain('capi-operator');
    },
  ],

  [
    'an upgrade changes the requirement in place, and what was the future goes',
    async (stage) => {
      await stage.admin.create<KubeObject>(DEFINITIONS, newShip);
      await stage.carry('core', [ship]);
      await stage.carry('core-next', [newShip], { role: 'future', release: '4.23.0' });
      await stage.list(SHIPS);
      await stage.run(BOTH);
      const before = await stage.judge(ACTIVE);
      const future = await stage.judge(FUTURE, { compatible: false });
      expect(future.spec).toMatchObject({ customResourceDefinitionSchemaValidation: { action: 'Warn' } });
      await says(stage, 'Upgradeable', `False: ${SHIPS} does not meet ${FUTURE}: Compatible is false`);
      await says(stage, 'Degraded', 'False');
      await stage.judge(FUTURE);
      await says(stage, 'Upgradeable', 'True');
      // The new release brings its own maps under the same names.
      await stage.carry('core', [newShip], { release: '4.23.0' });
      await stage.carry('core-next', [newShip], { role: 'future', release: '4.24.0' });
      await eventually('what was the future is gone', async () =>
        (await stage.find(REQUIREMENTS, FUTURE)) === undefined ? true : undefined,
      );
      const after = await stage.find<CompatibilityRequirement>(REQUIREMENTS, ACTIVE);
      expect(after?.metadata.uid).toBe(before.metadata.uid);
      expect(after?.spec.compatibilitySchema.customResourceDefinition.data).toContain('flag');
      await eventually('there is a new future', () => stage.find(REQUIREMENTS, `${ACTIVE}-4.24.0`));
    },
  ],

  [
    'a definition that does not fit is Degraded, and says which and why',
    async (stage) => {
      await stage.carry('core', [ship]);
      await stage.list(SHIPS);
      await stage.run(BOTH);
      await stage.judge(ACTIVE, { compatible: false });
      await says(stage, 'Degraded', `True: ${SHIPS} does not meet ${ACTIVE}: Compatible is false`);
      await stage.judge(ACTIVE);
      await says(stage, 'Degraded', 'False');
    },
  ],

  [
    'a map that cannot be read is Degraded, and nothing is taken away for it',
    async (stage) => {
      await stage.carry('core', [ship]);
      await stage.list(SHIPS);
      await stage.run(BOTH);
      await stage.judge(ACTIVE);
      await says(stage, 'Degraded', 'False');
      await stage.write({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'core',
          labels: {
            'capi-operator.openshift.io/provider': 'cluster-api',
            'capi-operator.openshift.io/release': '4.22.0',
            'capi-operator.openshift.io/role': 'active',
          },
        },
        data: { 'manifests.yaml': 'kind: [' },
      });
      await says(
        stage,
        'Degraded',
        'True: transport config map capi-operator-test/core cannot be used: document 1 of manifests.yaml is not YAML',
      );
      expect(await stage.find(REQUIREMENTS, ACTIVE)).toBeDefined();
      await stage.carry('core', [ship]);
      await says(stage, 'Degraded', 'False');
    },
  ],

  [
    'a release earlier it only warns, and installs nothing',
    async (stage) => {
      await stage.admin.create<KubeObject>(DEFINITIONS, newShip);
      await stage.carry('core', [ship, port]);
      await stage.carry('core-next', [ship], { role: 'future', release: '4.23.0' });
      await stage.run(REDUCED);
      await says(stage, 'Upgradeable', `False: ${SHIPS} is there already and not this operator's`);
      const generation = await stage.list(SHIPS);
      await stage.judge(FUTURE);
      await says(stage, 'Upgradeable', 'True');
      await eventually('the generation is observed', async () =>
        (await stage.observedGeneration()) === generation ? true : undefined,
      );
      expect(await stage.find(REQUIREMENTS, ACTIVE)).toBeUndefined();
      expect(await stage.find(DEFINITIONS, PORTS)).toBeUndefined();
    },
  ],

  [
    'without its gates it writes nothing at all',
    async (stage) => {
      await stage.carry('core', [ship]);
      await stage.carry('core-next', [ship], { role: 'future', release: '4.23.0' });
      await stage.run('ClusterAPIMachineManagementGCP=true');
      await stage.looked(1);
      await stage.list(PORTS);
      await stage.looked(2);
      expect(await stage.says('Available')).toBe('');
      expect(await stage.find(DEFINITIONS, SHIPS)).toBeUndefined();
      expect(await stage.observedGeneration()).toBeUndefined();
    },
  ],
];
