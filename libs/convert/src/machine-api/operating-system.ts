/** Machines with another operating system than the clusters': they are set up otherwise. */
import type { Path, Step } from '../engine/path.js';
import { getAt, stepInto } from '../engine/path.js';
import { addWarning } from '../engine/rule.js';
import type { MachineRule } from './platform.js';

/** By which the operator of Windows machines knows them, on every platform. */
const OS_LABEL = 'machine.openshift.io/os-id';

/** Warns of machines with Windows. `labels` are those of a machine of Machine API. */
export function windowsRule(labels: Path): MachineRule {
  return {
    claims: { left: [], right: [] },
    acts: (from, to) => from === 'left' && to === 'right',
    convert: (scope) => {
      const { from, to } = scope.run;
      if (from !== 'left' || to !== 'right' || getAt(scope.source, [...labels, OS_LABEL]) !== 'Windows') return;
      const at: Step = { before: stepInto(scope.at, labels), kind: 'key', name: OS_LABEL };
      const message =
        'is "Windows": the user data are a script, which Cluster API may take for Ignition: the Secret that it reads must not have the format "ignition"';
      addWarning({ ...scope, at }, [], message, 'EffectDiffers');
    },
  };
}
