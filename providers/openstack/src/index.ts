import { openStackCluster, openStackFloatingIpPool, openStackServer } from '@capstan/api/infrastructure/openstack';
import { image } from '@capstan/api/infrastructure/openstack-resources';
import { resource } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import {
  copiedSecret,
  missingSettings,
  opaqueSecret,
  withoutUndefined,
  secretText,
  settingsOf,
} from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem } from '@capstan/provider';
import { clusterSpec } from './cluster.js';
import { cloudConfig, components } from './components.js';
import { create } from './create.js';
import { machineTemplate } from './machine-template.js';
import { program } from './program.js';
import { CA_KEY, CLOUDS_KEY, clusterSettings, CONFIG_KEY, KEY, poolSettings } from './settings.js';

/** Secrets of operators of the cluster, each with the way to the cloud and what is to be known of it. */
const OPERATORS = ['cloud-network-config-controller-creds', 'openstack-cloud-credentials', 'manila-cloud-credentials'];
const CA_FILE = '/etc/pki/ca-trust/extracted/pem/ca-bundle.pem';

function credentials({ controlPlaneNamespace: namespace, hostedCluster, secrets }: HostedClusterInputs): KubeObject[] {
  const settings = clusterSettings(hostedCluster);
  const { name } = settings.identityRef;
  const source = secrets.get(name);
  if (source === undefined) return [];
  const [clouds, ca] = [secretText(source, CLOUDS_KEY) ?? '', secretText(source, CA_KEY)];
  const networks = (hostedCluster.spec?.networking?.machineNetwork ?? []).map(({ cidr }) => cidr);
  const texts = withoutUndefined({
    [CLOUDS_KEY]: clouds,
    [CONFIG_KEY]: cloudConfig(settings, networks, ca === undefined ? undefined : CA_FILE),
    ...(ca === undefined ? {} : { 'ca-bundle.pem': ca }),
  });
  return [
    copiedSecret(source, { name, namespace }, [CLOUDS_KEY, CA_KEY]),
    ...OPERATORS.map((each) => opaqueSecret(namespace, each, texts)),
  ];
}

function validate({ hostedCluster, secrets }: HostedClusterInputs): Problem[] {
  const missing = missingSettings(hostedCluster, KEY, ['identityRef']);
  if (missing.length > 0) return missing;
  const { identityRef, managedSubnets = [], subnets = [] } = clusterSettings(hostedCluster);
  const problems: Problem[] = [];
  const secret = secrets.get(identityRef.name);
  if (secret !== undefined && secretText(secret, CLOUDS_KEY) === undefined)
    problems.push({
      path: 'spec.platform.openstack.identityRef.name',
      message: `Secret ${identityRef.name} has no key ${CLOUDS_KEY}: put the access to the cloud there`,
    });
  if (subnets.length > 0 && managedSubnets.length > 0)
    problems.push({
      path: 'spec.platform.openstack.managedSubnets',
      message: 'the cluster has subnets already, so none are created: leave one of the two out',
    });
  if ((hostedCluster.spec?.networking?.machineNetwork ?? []).length === 0)
    problems.push({
      path: 'spec.networking.machineNetwork',
      message: 'machines have no network to be in: name it in machineNetwork',
    });
  return problems;
}

function validateNodePool({ hostedCluster, nodePool }: NodePoolInputs): Problem[] {
  const problems = missingSettings(nodePool, KEY, ['flavor']);
  const { additionalPorts = [] } = poolSettings(nodePool);
  if (additionalPorts.length > 0 && (clusterSettings(hostedCluster).subnets ?? []).length > 0)
    problems.push({
      path: 'spec.platform.openstack.additionalPorts',
      message: 'further ports are not possible where the cluster brings its own subnets: leave them out',
    });
  return problems;
}

/** Hosted clusters whose machines are servers of OpenStack. */
export const hosting: HostingPlatform = {
  type: 'OpenStack',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(openStackCluster),
    isExternal: false,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: (inputs) => ({ ...clusterSpec(inputs) }),
  },
  machineTemplate,
  nodePools: { architectures: ['amd64'], scalesFromZero: false, keepsUserData: false },
  validate,
  validateNodePool,
  secretNames: ({ hostedCluster }) => {
    const name = clusterSettings(hostedCluster).identityRef?.name;
    return name === undefined ? [] : [name];
  },
  credentials,
  program,
  controlPlane: ({ hostedCluster }) => ({ type: 'OpenStack', settings: settingsOf(hostedCluster, { key: KEY }) }),
  components,
  companionKinds: [resource(image)],
  // Images are taken out of the cloud, servers ended, by programs that need the control plane's credentials.
  leftovers: [resource(image), resource(openStackServer), resource(openStackFloatingIpPool)],
  create,
};

export { conversion } from './conversion/index.js';
