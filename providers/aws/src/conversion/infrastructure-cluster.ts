/** What machines of Machine API say themselves, and Cluster API has on the infrastructure cluster. */
import { addError, getAt, isRecord, setAt } from '@capstan/convert';
import type { Scope } from '@capstan/convert';
import { credentials, ofCluster } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, ProviderSpecProblem } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';

const REGION = ['status', 'platformStatus', 'aws', 'region'];

/** The region the whole cluster is in. */
export const region: MachineRule = ofCluster('placement.region', {
  path: 'spec.region',
  otherwise: {
    place: `${REGION.join('.')} of the Infrastructure`,
    read: (context) => getAt(context.infrastructure, REGION),
  },
});

const IDENTITY = ['spec', 'identityRef'];
const ownIdentity = { kind: 'AWSClusterControllerIdentity', name: 'default' };
const secret = credentials('aws-cloud-credentials');

const isOwn = (found: unknown): boolean =>
  isRecord(found) && found['kind'] === ownIdentity.kind && found['name'] === ownIdentity.name;

/** The credentials, which are those of the controller itself on either side. */
export const identity: MachineRule = {
  claims: secret.claims,
  convert: (scope) => {
    const found = getAt(scope.run.context.infrastructureCluster, IDENTITY);
    if (found !== undefined && scope.run.from !== scope.run.to && !isOwn(found))
      addError(
        { ...scope, at: undefined },
        [],
        `${IDENTITY.join('.')} of the infrastructure cluster is ${stringifyJson(found)}: only that of the controller ` +
          `itself can be kept, which is ${stringifyJson(ownIdentity)}`,
        'ClusterMismatch',
      );
    secret.convert(scope);
  },
};

const CONTROL_PLANE_LABELS = [
  ['machine', 'metadata', 'labels', 'cluster.x-k8s.io/control-plane'],
  ['machineSet', 'spec', 'template', 'metadata', 'labels', 'cluster.x-k8s.io/control-plane'],
];
const ROLE = 'machine.openshift.io/cluster-api-machine-role';
const ROLE_LABELS = [
  ['metadata', 'labels', ROLE],
  ['spec', 'template', 'metadata', 'labels', ROLE],
];

function isControlPlane({ from, root }: Scope<MachineContext>['run']): boolean {
  if (from === 'right') return 'set' in root || CONTROL_PLANE_LABELS.some((path) => getAt(root, path) !== undefined);
  return root['kind'] === 'ControlPlaneMachineSet' || ROLE_LABELS.some((path) => getAt(root, path) === 'master');
}

interface LoadBalancer {
  readonly name: string;
  readonly type: string;
}

/** What is wrong with the infrastructure cluster. */
type Problem = Required<Omit<ProviderSpecProblem, 'path'>>;

const mismatch = (message: string): Problem => ({ code: 'ClusterMismatch', message });

const FIRST = 'spec.controlPlaneLoadBalancer';
const SECOND = 'spec.secondaryControlPlaneLoadBalancer';
const types = new Map<unknown, string>([
  [undefined, 'classic'],
  ['', 'classic'],
  ['classic', 'classic'],
  ['elb', 'classic'],
  ['nlb', 'network'],
]);

/** A load balancer of the infrastructure cluster as a machine names it; or what is wrong with it. */
function loadBalancer(cluster: JsonObject, path: string): LoadBalancer | Problem | undefined {
  const found = getAt(cluster, path.split('.'));
  if (!isRecord(found)) return undefined;
  const name = found['name'] ?? '';
  if (typeof name !== 'string' || name === '') return mismatch(`${path} of the infrastructure cluster has no name`);
  const type = types.get(found['loadBalancerType'] ?? undefined);
  if (type !== undefined) return { name, type };
  const is = stringifyJson(found['loadBalancerType']);
  const message = `${path} of the infrastructure cluster is of type ${is}, and machines of Machine API join "classic" and "nlb" ones`;
  return mismatch(message);
}

/** All that machines of the control plane belong to; or what is wrong with them. */
function expected(context: MachineContext): readonly LoadBalancer[] | Problem {
  const { infrastructureCluster: cluster } = context;
  if (cluster === undefined)
    return { code: 'ClusterUnknown', message: `${FIRST} of the infrastructure cluster is needed, and not given` };
  const first = loadBalancer(cluster, FIRST);
  const second = loadBalancer(cluster, SECOND);
  if (first === undefined) return mismatch(`${FIRST} of the infrastructure cluster is missing`);
  if ('message' in first) return first;
  if (second !== undefined && 'message' in second) return second;
  return second === undefined ? [first] : [first, second];
}

const BALANCERS = ['loadBalancers'];

/** Load balancers, of machines of the control plane. On the way there they are compared by {@link loadBalancerProblems}. */
export const loadBalancers: MachineRule = {
  claims: { left: [{ path: 'loadBalancers', fate: 'derived' }], right: [] },
  convert: (scope) => {
    if (scope.run.to === 'right' || !isControlPlane(scope.run)) return;
    const found = expected(scope.run.context);
    if ('message' in found) addError({ ...scope, at: undefined }, [], found.message, found.code);
    else setAt(scope.target, BALANCERS, found);
  },
};

function balancerProblem(each: unknown, known: readonly LoadBalancer[], path: string): ProviderSpecProblem | undefined {
  if (!isRecord(each)) return { path, message: 'must be an object' };
  const same = known.find(({ name }) => name === each['name']);
  if (same === undefined) {
    const names = known.map(({ name }) => goQuote(name)).join(' and ');
    const is = stringifyJson(each['name'] ?? '');
    return {
      code: 'ClusterMismatch',
      path: `${path}.name`,
      message: `is ${is}, but the infrastructure cluster has ${names}`,
    };
  }
  if (same.type === each['type']) return undefined;
  const is = stringifyJson(each['type'] ?? '');
  return {
    code: 'ClusterMismatch',
    path: `${path}.type`,
    message: `is ${is}, but the infrastructure cluster has ${goQuote(same.type)}`,
  };
}

/** Whether a machine is in the load balancers that Cluster API will put it in, and in no others. */
export function loadBalancerProblems(
  providerSpec: JsonObject,
  { context, isControlPlane: joins }: { readonly isControlPlane: boolean; readonly context: MachineContext },
): readonly ProviderSpecProblem[] {
  const path = BALANCERS.join('.');
  const listed = providerSpec['loadBalancers'] ?? [];
  if (!Array.isArray(listed)) return [{ path, message: 'must be a list' }];
  if (!joins) {
    const message = 'cannot be kept: only machines of the control plane are in load balancers; remove them';
    return listed.length === 0 ? [] : [{ path, message }];
  }
  const known = expected(context);
  if ('message' in known) return [{ ...known, path, message: `cannot be compared: ${known.message}` }];
  const wrong = listed.flatMap((each, index) => balancerProblem(each, known, `${path}[${index}]`) ?? []);
  const absent = known.filter(({ name }) => !listed.some((each) => isRecord(each) && each['name'] === name));
  return [
    ...wrong,
    ...absent.map(({ name }) => ({
      code: 'ClusterMismatch' as const,
      path,
      message: `does not name ${goQuote(name)}, which the infrastructure cluster puts every such machine in`,
    })),
  ];
}
