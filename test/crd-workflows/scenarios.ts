import { expect } from 'vitest';
import { DEFINITIONS, kindOf } from '../capi-operator/fixture.js';
import {
  ACTIVE,
  BOTH,
  deprecated,
  FUTURE,
  name,
  nameAndFlag,
  OWN_NAMESPACE,
  REDUCED,
  SHIPS,
  spec,
  text,
} from './kinds.js';
import type { Scenario } from './workflows.js';
import { eventually } from '../src/wait.js';

/** The workflows, with the platform on one side and an adopting manager on the other. */
export const scenarios: readonly Scenario[] = [
  [
    'a cluster that already has the CRDs is upgraded once they are listed',
    async (flow) => {
      const { fixture } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await fixture.carry('core-next', [kindOf('Ship', { v1: name })], { role: 'future', release: '4.23.0' });
      await fixture.run(REDUCED);
      await flow.conditionIs('Upgradeable', `False: ${SHIPS} exists and is not managed by this operator`);
      await flow.observed(await fixture.list(SHIPS));
      await flow.conditionIs('Upgradeable', 'True');
      await fixture.stop();
      await fixture.carry('core', [kindOf('Ship', { v1: name })], { release: '4.23.0' });
      await fixture.run(BOTH);
      await flow.enforced(ACTIVE);
      const writers = (await fixture.find(DEFINITIONS, SHIPS))?.metadata.managedFields?.map(({ manager }) => manager);
      expect(writers).not.toContain('capi-operator');
    },
  ],

  [
    'an administrator takes a CRD over from the platform',
    async (flow) => {
      const { fixture } = flow;
      await fixture.carry('core', [kindOf('Ship', { v1: name })]);
      await fixture.run(BOTH);
      await eventually('the platform installs it', () => fixture.find(DEFINITIONS, SHIPS));
      await flow.observed(await fixture.list(SHIPS));
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      const refused = await flow.apply(kindOf('Ship', { v1: spec({ flag: text }) }));
      expect(refused).toContain(`CRD Compatibility Checker: CustomResourceDefinition "${SHIPS}" is not compatible:`);
      expect(refused).toContain(`requirement "${ACTIVE}" of capi-operator: v1 spec.name`);
      expect((await fixture.find(DEFINITIONS, SHIPS))?.['spec']).toMatchObject({
        versions: [{ schema: { openAPIV3Schema: { properties: nameAndFlag } } }],
      });
    },
  ],

  [
    'adds a new version next to the old one, and removes the old one after the platform was upgraded',
    async (flow) => {
      const { fixture } = flow;
      await fixture.carry('core', [kindOf('Ship', { v1alpha1: name })]);
      await fixture.list(SHIPS);
      expect(await flow.apply(kindOf('Ship', { v1alpha1: name }))).toBe('applied');
      await fixture.run(BOTH);
      await flow.enforced(ACTIVE);
      const onlyNew = kindOf('Ship', { v1: name });
      expect(await flow.apply(onlyNew)).toMatch(/v1alpha1/);
      expect(await flow.apply(kindOf('Ship', { v1alpha1: name, v1: name }))).toBe('applied');
      // What was stored is migrated.
      await fixture.admin.patch(
        DEFINITIONS,
        SHIPS,
        { type: 'merge', value: { status: { storedVersions: ['v1'] } } },
        { subresource: 'status' },
      );
      expect(await flow.apply(onlyNew)).toContain(`requirement "${ACTIVE}"`);
      await fixture.carry('core-next', [onlyNew], { role: 'future', release: '4.23.0' });
      await flow.enforced(FUTURE);
      await flow.conditionIs('Upgradeable', 'True');
      await fixture.carry('core', [onlyNew], { release: '4.23.0' });
      await eventually('the platform requires the new version', async () => {
        const { data } = (await flow.enforced(ACTIVE)).spec.compatibilitySchema.customResourceDefinition;
        return data.includes('v1alpha1') ? undefined : true;
      });
      expect(await flow.apply(onlyNew)).toBe('applied');
    },
  ],

  [
    'what Cluster API keeps for old clients alone may go without a new version',
    async (flow) => {
      const { fixture } = flow;
      const withOld = {
        ...name,
        status: { type: 'object', properties: { ready: { type: 'boolean' }, ...deprecated } },
      };
      const without = { ...name, status: { type: 'object', properties: { ready: { type: 'boolean' } } } };
      await fixture.carry('core', [kindOf('Ship', { v1: withOld })]);
      await fixture.list(SHIPS);
      expect(await flow.apply(kindOf('Ship', { v1: withOld }))).toBe('applied');
      await fixture.run(BOTH);
      await flow.enforced(ACTIVE);
      expect(await flow.apply(kindOf('Ship', { v1: without }))).toBe('applied');
      await flow.conditionIs('Degraded', 'False');
      expect(await flow.apply(kindOf('Ship', { v1: name }))).toContain('v1 status');
    },
  ],

  [
    'the platform stays stable while HyperShift manages the CRD',
    async (flow) => {
      const { fixture } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await fixture.carry('core', [kindOf('Ship', { v1: name })]);
      await fixture.list(SHIPS);
      await fixture.run(BOTH);
      await flow.enforced(ACTIVE);
      await flow.conditionIs('Degraded', 'False');
      // Its own objects must be what its controllers understand; those of others may be newer.
      expect(await flow.tryObject('default', { name: 'a', flag: 'b' })).toBe('created');
      await eventually('an object the platform does not understand is refused', async () =>
        (await flow.tryObject(OWN_NAMESPACE, { name: 'a', flag: 'b' })).includes('spec.flag') ? true : undefined,
      );
      expect(await flow.tryObject(OWN_NAMESPACE, { name: 'a' })).toBe('created');
      const next = spec({ name: text, flag: text, masts: { type: 'integer' } });
      expect(await flow.apply(kindOf('Ship', { v1: next }))).toBe('applied');
      // Degraded while the live CRD lacks what the requirement needs.
      await fixture.carry('core', [kindOf('Ship', { v1: spec({ name: text, harbour: text }) })]);
      await flow.conditionIs('Degraded', `True: ${SHIPS} does not meet ${ACTIVE}: v1 spec.harbour`);
    },
  ],

  [
    'an upgrade is held up that would conflict with the CRD there is',
    async (flow) => {
      const { fixture } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: name }))).toBe('applied');
      await fixture.carry('core', [kindOf('Ship', { v1: name })]);
      await fixture.carry('core-next', [kindOf('Ship', { v1: nameAndFlag })], { role: 'future', release: '4.23.0' });
      await fixture.list(SHIPS);
      await fixture.run(BOTH);
      await flow.conditionIs('Upgradeable', `False: ${SHIPS} does not meet ${FUTURE}: v1 spec.flag`);
      await flow.conditionIs('Degraded', 'False');
      // The future warns and refuses nothing.
      expect(await flow.apply(kindOf('Ship', { v1: spec({ name: text, masts: { type: 'integer' } }) }))).toBe(
        'applied',
      );
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await flow.conditionIs('Upgradeable', 'True');
    },
  ],
];
