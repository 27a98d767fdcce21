import type { HostedControlPlane, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { ResourceKind } from '@capstan/kube';
import { componentsFor } from '../component/selection.js';
import { planOf } from '../component/decide.js';
import type { ComponentPlan } from '../component/decide.js';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import { networkPoliciesOf } from '../services/network-policies.js';
import { routesOf } from '../services/routes.js';
import { servicesOf } from '../services/services.js';
import { componentInputs, platformFindings } from './inputs.js';
import type { Planned, PlatformFindings } from './inputs.js';

/** What a control plane is to have. */
export interface Kept {
  /** Names of its components. */
  readonly components: ReadonlySet<string>;
  /** Names of its other objects, by kind; everything else of such a kind is deleted. */
  readonly others: readonly (readonly [ResourceKind, ReadonlySet<string>])[];
}

/** The components of a control plane, and the objects it keeps, from its spec, release and endpoint. */
export interface ControlPlanePlan extends ComponentPlan {
  readonly platform: PlatformFindings;
  readonly kept: Kept;
}

/** Decides which components a control plane has, and which objects it keeps. */
export function decideComponents(
  hcp: HostedControlPlane,
  spec: HostedControlPlaneSpec,
  planned: Planned,
): ControlPlanePlan {
  const platform = platformFindings(hcp, spec, planned.platforms);
  const inputs = componentInputs(hcp, spec, planned);
  const plan = planOf(inputs, componentsFor(inputs, 'components' in platform ? platform.components : []));
  return { ...plan, platform, kept: keptOf(spec, plan.names) };
}

function keptOf(spec: HostedControlPlaneSpec, components: ReadonlySet<string>): Kept {
  const names = (objects: Iterable<{ readonly metadata: { readonly name?: string } }>): ReadonlySet<string> =>
    new Set(Array.from(objects, ({ metadata }) => metadata.name ?? ''));
  return {
    components,
    others: [
      [SERVICES, names(servicesOf(spec))],
      [NETWORK_POLICIES, names(networkPoliciesOf(spec))],
      [ROUTES, names(routesOf(spec).values())],
    ],
  };
}
