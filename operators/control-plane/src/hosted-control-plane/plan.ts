import type { HostedControlPlane, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { partsOf } from '../component/parts.js';
import { planOf } from '../component/plan.js';
import type { ComponentPlan } from '../component/plan.js';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import { networkPoliciesOf } from '../services/network-policies.js';
import { routesOf } from '../services/routes.js';
import { servicesOf } from '../services/services.js';
import type { Kept } from './prune.js';
import { componentInputs, platformFindings } from './inputs.js';
import type { Planned, PlatformFindings } from './inputs.js';

/** The components of a control plane, and the objects it keeps, from its spec, release and endpoint. */
export interface ControlPlanePlan extends ComponentPlan {
  readonly platform: PlatformFindings;
  readonly kept: Kept;
}

/** Makes the plan of a control plane. */
export function controlPlanePlan(
  hcp: HostedControlPlane,
  spec: HostedControlPlaneSpec,
  planned: Planned,
): ControlPlanePlan {
  const platform = platformFindings(hcp, spec, planned.platforms);
  const inputs = componentInputs(hcp, spec, planned);
  const plan = planOf(inputs, partsOf(inputs, 'components' in platform ? platform.components : []));
  return { ...plan, platform, kept: keptOf(spec, plan.names) };
}

function keptOf(spec: HostedControlPlaneSpec, parts: ReadonlySet<string>): Kept {
  const names = (objects: Iterable<{ readonly metadata: { readonly name?: string } }>): ReadonlySet<string> =>
    new Set(Array.from(objects, ({ metadata }) => metadata.name ?? ''));
  return {
    parts,
    others: [
      [SERVICES, names(servicesOf(spec))],
      [NETWORK_POLICIES, names(networkPoliciesOf(spec))],
      [ROUTES, names(routesOf(spec).values())],
    ],
  };
}
