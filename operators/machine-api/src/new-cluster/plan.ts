/** The Cluster and the infrastructure cluster that copies need, of what a cluster with Machine API alone knows. */
import { ClusterFacts, MachineConverter, providerSpecIn, runsControlPlane } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform, MasterFacts } from '@capstan/convert/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { CLUSTERS } from '../kinds.js';
import { recordAt } from '../shared/model.js';
import { EXTERNALLY_MANAGED, OURS, OURS_LABEL } from './existing.js';

const HTTPS_PORT = 443;

/** What is read of the cluster. */
export interface NewClusterInputs {
  /** Infrastructure/cluster. */
  readonly infrastructure: KubeObject;
  /** Of Machine API. */
  readonly machines: readonly KubeObject[];
  readonly platform: MachinePlatform;
  readonly namespaces: MachineContext['namespaces'];
}

/** What is to be there. */
export interface NewCluster {
  readonly infrastructureCluster: KubeObject;
  readonly cluster: KubeObject;
  /** Whether the controllers of the platform fill the status of the infrastructure cluster. */
  readonly isManaged: boolean;
  /** What has to be there besides. */
  readonly needs: readonly string[];
}

function endpointOf(infrastructure: KubeObject): { readonly host: string; readonly port: number } | undefined {
  const { apiServerInternalURI: address } = recordAt(infrastructure, 'status');
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  return hostname === '' ? undefined : { host: hostname, port: port === '' ? HTTPS_PORT : Number(port) };
}

/** What its infrastructure machine will be. Without an infrastructure cluster nothing can be compared with it, and need not. */
function convertedSpec(
  machine: KubeObject,
  converter: MachineConverter,
  context: MachineContext,
): MasterFacts['converted'] {
  const { errors, objects } = converter.toClusterApi(machine, context);
  const [error] = errors;
  if (error !== undefined) return { message: `${error.path}: ${error.message}` };
  const found = objects.find(({ kind }) => kind === converter.platform.machine.kind.kind);
  return { spec: recordAt(found as KubeObject, 'spec') };
}

function masterFacts(
  { infrastructure, machines, namespaces, platform }: NewClusterInputs,
  clusterName: string,
): MasterFacts[] {
  const converter = new MachineConverter(platform);
  const context = { clusterName, namespaces, infrastructure };
  return machines
    .filter((machine) => machine.metadata.deletionTimestamp === undefined && runsControlPlane(machine))
    .map((machine) => {
      const { providerID } = recordAt(machine, 'spec');
      return {
        name: machine.metadata.name ?? '',
        providerID: typeof providerID === 'string' ? providerID : undefined,
        providerSpec: (providerSpecIn(machine)?.value ?? {}) as JsonObject,
        converted: convertedSpec(machine, converter, context),
      };
    });
}

/** Decides what is to be created; or every reason why nothing can be. */
export function planNewCluster(inputs: NewClusterInputs): NewCluster | { readonly problems: readonly string[] } {
  const { infrastructure, namespaces, platform } = inputs;
  const { infrastructureName: clusterName } = recordAt(infrastructure, 'status');
  if (typeof clusterName !== 'string' || clusterName === '')
    return { problems: ['Infrastructure cluster does not report status.infrastructureName'] };
  const endpoint = endpointOf(infrastructure);
  if (endpoint === undefined)
    return { problems: ['Infrastructure cluster does not report status.apiServerInternalURI'] };
  if (platform.newCluster === undefined)
    return { problems: [`platform ${platform.type}: the ${platform.cluster.kind.kind} has to be written by hand`] };
  const masters = masterFacts(inputs, clusterName);
  if (masters.length === 0)
    return { problems: [`namespace ${namespaces.machineApi} has no Machines of the control plane to read it from`] };
  const facts = new ClusterFacts({ clusterName, namespace: namespaces.clusterApi, infrastructure, endpoint, masters });
  const made = platform.newCluster(facts);
  if (facts.problems.length > 0) return { problems: facts.problems };
  const isManaged = made.isManaged === true;
  const { kind, version } = platform.cluster;
  const metadata = { name: clusterName, namespace: namespaces.clusterApi, labels: { [OURS_LABEL]: OURS } };
  return {
    isManaged,
    needs: made.needs ?? [],
    infrastructureCluster: {
      apiVersion: `${kind.group}/${version}`,
      kind: kind.kind,
      metadata: isManaged ? metadata : { ...metadata, annotations: { [EXTERNALLY_MANAGED]: OURS } },
      spec: made.spec,
    },
    cluster: {
      apiVersion: `${CLUSTERS.group}/${CLUSTERS.version}`,
      kind: 'Cluster',
      metadata,
      spec: {
        controlPlaneEndpoint: endpoint,
        infrastructureRef: { apiGroup: kind.group, kind: kind.kind, name: clusterName },
      },
    },
  };
}
