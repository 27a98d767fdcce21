import { expect, it } from 'vitest';
import type { Plan } from './decide.js';
import { CapiMetrics } from './metrics.js';

const PLAN: Plan = {
  install: [],
  required: [],
  drop: [],
  unclaimed: ['a', 'b'],
  unknown: ['c'],
  taken: [],
  isObserved: false,
};

function required(definition: string, role: 'active' | 'future', problem?: string): Plan['required'][number] {
  const standing = { isWritten: true, isAdmitted: true, isSettled: true, problem };
  return { definition, role, wanted: { metadata: {} }, standing } as Plan['required'][number];
}

const lines = (metrics: CapiMetrics): readonly string[] =>
  metrics
    .render()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

it('write counters are exported before the first write, and gauges only after the first reconcile', () => {
  expect(lines(new CapiMetrics())).toEqual([
    'capi_operator_writes_total{kind="customresourcedefinition",outcome="failed"} 0',
    'capi_operator_writes_total{kind="customresourcedefinition",outcome="written"} 0',
    'capi_operator_writes_total{kind="compatibilityrequirement",outcome="failed"} 0',
    'capi_operator_writes_total{kind="compatibilityrequirement",outcome="written"} 0',
  ]);
});

it('a CRD that both releases require counts once', () => {
  const metrics = new CapiMetrics();
  const both = [required('d', 'active', 'gone'), required('d', 'future', 'gone'), required('e', 'active')];
  metrics.saw({ ...PLAN, required: both }, [
    { type: 'Degraded', status: 'True' },
    { type: 'Upgradeable', status: 'False' },
  ]);
  metrics.wrote('compatibilityrequirement e', 'written');
  expect(lines(metrics)).toEqual([
    'capi_operator_condition{type="Degraded"} 1',
    'capi_operator_condition{type="Upgradeable"} 0',
    'capi_operator_definitions{state="install"} 0',
    'capi_operator_definitions{state="required"} 2',
    'capi_operator_definitions{state="incompatible"} 1',
    'capi_operator_definitions{state="unclaimed"} 2',
    'capi_operator_definitions{state="unknown"} 1',
    'capi_operator_writes_total{kind="customresourcedefinition",outcome="failed"} 0',
    'capi_operator_writes_total{kind="customresourcedefinition",outcome="written"} 0',
    'capi_operator_writes_total{kind="compatibilityrequirement",outcome="failed"} 0',
    'capi_operator_writes_total{kind="compatibilityrequirement",outcome="written"} 1',
  ]);
});
