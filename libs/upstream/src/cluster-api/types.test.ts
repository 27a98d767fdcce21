import type * as api from '@capstan/api/cluster-api';
import { expectTypeOf, it } from 'vitest';
import type { Cluster, Machine, MachineDeployment, MachineDrainRule, MachineHealthCheck, MachineSet } from './types.js';

/** A CRD without what every object has. */
type Own<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata'>;

it('the narrow types here are parts of the kinds as they are defined', () => {
  expectTypeOf<Own<api.Cluster>['spec']>().toExtend<Cluster['spec']>();
  expectTypeOf<Own<api.Cluster>['status']>().toExtend<Cluster['status']>();
  expectTypeOf<api.Machine['spec']>().toExtend<Machine['spec']>();
  expectTypeOf<api.Machine['status']>().toExtend<Machine['status']>();
  expectTypeOf<api.MachineSet['spec']>().toExtend<MachineSet['spec']>();
  expectTypeOf<api.MachineSet['status']>().toExtend<MachineSet['status']>();
  expectTypeOf<api.MachineDeployment['spec']>().toExtend<MachineDeployment['spec']>();
  expectTypeOf<api.MachineDeployment['status']>().toExtend<MachineDeployment['status']>();
  expectTypeOf<api.MachineHealthCheck['spec']>().toExtend<MachineHealthCheck['spec']>();
  expectTypeOf<api.MachineHealthCheck['status']>().toExtend<MachineHealthCheck['status']>();
  expectTypeOf<api.MachineDrainRule['spec']>().toExtend<MachineDrainRule['spec']>();
});
