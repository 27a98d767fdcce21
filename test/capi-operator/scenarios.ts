import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { DEFINITIONS, GROUP, kindOf, REQUIREMENTS } from './fixture.js';
import type { Fixture } from './fixture.js';
import { eventually } from '../src/wait.js';

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
type Scenario = readonly [title: string, scenario: (fixture: Fixture) => Promise<void>];

function conditionIs(fixture: Fixture, type: string, text: string): Promise<true> {
  return eventually(`the condition ${type} is "${text}"`, async () =>
    (await fixture.conditionText(type)).startsWith(text) ? true : undefined,
  );
}

/** The checker is played. */
export const scenarios: readonly Scenario[] = [
  [
    'installs the CRDs it manages, and restores those that another client changed',
    async (fixture) => {
      await fixture.carry('core', [ship, port], { packed: true });
      await fixture.run(BOTH);
      const made = await eventually('it is installed', () => fixture.find(DEFINITIONS, SHIPS));
      expect(made.metadata.labels).toMatchObject({ 'capi-operator.openshift.io/managed-by': 'cluster-api' });
      await conditionIs(fixture, 'Upgradeable', 'True: The cluster can be upgraded');
      await eventually('the generation is observed', () => fixture.observedGeneration());
      await fixture.drop(DEFINITIONS, { name: PORTS });
      await eventually('what was deleted is there again', () => fixture.find(DEFINITIONS, PORTS));
      const value = { metadata: { annotations: { 'capi-operator.openshift.io/content': 'tampered' } } };
      const before = await fixture.admin.patch(DEFINITIONS, SHIPS, { type: 'merge', value });
      await eventually('what was changed is changed back', async () => {
        const now = await fixture.find(DEFINITIONS, SHIPS);
        return now?.metadata.resourceVersion !== before.metadata.resourceVersion ? true : undefined;
      });
    },
  ],

  [
    'corrects a status that another client overwrote',
    async (fixture) => {
      await fixture.carry('core', [ship]);
      await fixture.run(BOTH);
      await conditionIs(fixture, 'Upgradeable', 'True: The cluster can be upgraded');
      const generation = await eventually('the generation is observed', () => fixture.observedGeneration());
      const lastTransitionTime = '2099-01-01T00:00:00Z';
      const lie = { type: 'Upgradeable', status: 'False', reason: 'Lie', message: 'it is not', lastTransitionTime };
      const isPutRight = async (): Promise<void> => {
        await fixture.overwrite('operator', { conditions: [lie], versions: [{ name: 'operator', version: '1.2.3' }] });
        await conditionIs(fixture, 'Upgradeable', 'True: The cluster can be upgraded');
        await conditionIs(fixture, 'Degraded', 'False');
      };
      await isPutRight();
      // The schema lets it never go back, so it stays; and all else goes on.
      await fixture.overwrite('api', { observedRevisionGeneration: generation + 998 });
      await isPutRight();
    },
  ],

  [
    'creates a requirement for a CRD that another manager reconciles, and never writes the CRD',
    async (fixture) => {
      const { metadata } = await fixture.admin.create<KubeObject>(DEFINITIONS, newShip);
      await fixture.carry('core', [ship]);
      await fixture.run(BOTH);
      await conditionIs(fixture, 'Upgradeable', `False: ${SHIPS} exists and is not managed by this operator`);
      const generation = await fixture.list(SHIPS);
      const requirement = await eventually('it is required', () =>
        fixture.find<CompatibilityRequirement>(REQUIREMENTS, ACTIVE),
      );
      expect(requirement.spec).toMatchObject({
        customResourceDefinitionSchemaValidation: { action: 'Deny' },
        objectSchemaValidation: { action: 'Deny' },
      });
      await conditionIs(fixture, 'Progressing', `True: ${ACTIVE} for ${SHIPS} has not been checked yet`);
      expect(await fixture.observedGeneration()).not.toBe(generation);
      await fixture.setVerdict(ACTIVE);
      await eventually('the generation is observed', async () =>
        (await fixture.observedGeneration()) === generation ? true : undefined,
      );
      await conditionIs(fixture, 'Upgradeable', 'True');
      const after = await fixture.find(DEFINITIONS, SHIPS);
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
    'updates the active requirement in an upgrade, and deletes the future one',
    async (fixture) => {
      await fixture.admin.create<KubeObject>(DEFINITIONS, newShip);
      await fixture.carry('core', [ship]);
      await fixture.carry('core-next', [newShip], { role: 'future', release: '4.23.0' });
      await fixture.list(SHIPS);
      await fixture.run(BOTH);
      const before = await fixture.setVerdict(ACTIVE);
      const future = await fixture.setVerdict(FUTURE, { compatible: false });
      expect(future.spec).toMatchObject({ customResourceDefinitionSchemaValidation: { action: 'Warn' } });
      await conditionIs(fixture, 'Upgradeable', `False: ${SHIPS} does not meet ${FUTURE}: Compatible is false`);
      await conditionIs(fixture, 'Degraded', 'False');
      await fixture.setVerdict(FUTURE);
      await conditionIs(fixture, 'Upgradeable', 'True');
      // The new release brings its own maps under the same names.
      await fixture.carry('core', [newShip], { release: '4.23.0' });
      await fixture.carry('core-next', [newShip], { role: 'future', release: '4.24.0' });
      await eventually('what was the future is gone', async () =>
        (await fixture.find(REQUIREMENTS, FUTURE)) === undefined ? true : undefined,
      );
      const after = await fixture.find<CompatibilityRequirement>(REQUIREMENTS, ACTIVE);
      expect(after?.metadata.uid).toBe(before.metadata.uid);
      expect(after?.spec.compatibilitySchema.customResourceDefinition.data).toContain('flag');
      await eventually('there is a new future', () => fixture.find(REQUIREMENTS, `${ACTIVE}-4.24.0`));
    },
  ],

  [
    'is Degraded when a CRD is incompatible, and names the CRD and the cause',
    async (fixture) => {
      await fixture.carry('core', [ship]);
      await fixture.list(SHIPS);
      await fixture.run(BOTH);
      await fixture.setVerdict(ACTIVE, { compatible: false });
      await conditionIs(fixture, 'Degraded', `True: ${SHIPS} does not meet ${ACTIVE}: Compatible is false`);
      await fixture.setVerdict(ACTIVE);
      await conditionIs(fixture, 'Degraded', 'False');
    },
  ],

  [
    'is Degraded when a ConfigMap cannot be read, and deletes nothing for it',
    async (fixture) => {
      await fixture.carry('core', [ship]);
      await fixture.list(SHIPS);
      await fixture.run(BOTH);
      await fixture.setVerdict(ACTIVE);
      await conditionIs(fixture, 'Degraded', 'False');
      await fixture.write({
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
      await conditionIs(
        fixture,
        'Degraded',
        'True: transport config map capi-operator-test/core cannot be used: document 1 of manifests.yaml is not YAML',
      );
      expect(await fixture.find(REQUIREMENTS, ACTIVE)).toBeDefined();
      await fixture.carry('core', [ship]);
      await conditionIs(fixture, 'Degraded', 'False');
    },
  ],

  [
    'only warns in the release before, and installs nothing',
    async (fixture) => {
      await fixture.admin.create<KubeObject>(DEFINITIONS, newShip);
      await fixture.carry('core', [ship, port]);
      await fixture.carry('core-next', [ship], { role: 'future', release: '4.23.0' });
      await fixture.run(REDUCED);
      await conditionIs(fixture, 'Upgradeable', `False: ${SHIPS} exists and is not managed by this operator`);
      const generation = await fixture.list(SHIPS);
      await fixture.setVerdict(FUTURE);
      await conditionIs(fixture, 'Upgradeable', 'True');
      await eventually('the generation is observed', async () =>
        (await fixture.observedGeneration()) === generation ? true : undefined,
      );
      expect(await fixture.find(REQUIREMENTS, ACTIVE)).toBeUndefined();
      expect(await fixture.find(DEFINITIONS, PORTS)).toBeUndefined();
    },
  ],

  [
    'writes nothing without its feature gates',
    async (fixture) => {
      await fixture.carry('core', [ship]);
      await fixture.carry('core-next', [ship], { role: 'future', release: '4.23.0' });
      await fixture.run('ClusterAPIMachineManagementGCP=true');
      await fixture.looked(1);
      await fixture.list(PORTS);
      await fixture.looked(2);
      expect(await fixture.conditionText('Available')).toBe('');
      expect(await fixture.find(DEFINITIONS, SHIPS)).toBeUndefined();
      expect(await fixture.observedGeneration()).toBeUndefined();
    },
  ],
];
