import { createHash } from 'node:crypto';

/** Names of architectures in the metadata of a CoreOS stream, and what machines of them are made of where. */
const ARCHITECTURES = { x86_64: 'amd64', aarch64: 'arm64', ppc64le: 'ppc64le', s390x: 's390x' } as const;

const AWS_REGIONS = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-gov-east-1',
  'us-gov-west-1',
  'us-west-1',
  'us-west-2',
];
const POWERVS_REGIONS = [
  'au-syd',
  'br-sao',
  'ca-tor',
  'eu-de',
  'eu-es',
  'eu-gb',
  'jp-osa',
  'jp-tok',
  'us-east',
  'us-south',
];

/**
 * The machine images that a release lists for each platform, like the metadata of a CoreOS stream. Nothing boots them
 * here, but a pool that names no image of its own takes the one of its release.
 */
export function bootImages(version: string): object {
  const named = Object.entries(ARCHITECTURES).map(([stream, architecture]) => [
    stream,
    {
      artifacts: { openstack: openstack(version, architecture) },
      images: {
        aws: { regions: inRegions(AWS_REGIONS, (region) => ami(version, architecture, region)) },
        gcp: { project: 'rhcos-cloud', name: `rhcos-${dashed(version)}-gcp-${architecture}` },
        kubevirt: { 'digest-ref': `quay.io/openshift-release-dev/rhcos@sha256:${hash(version, architecture)}` },
        powervs: { regions: inRegions(POWERVS_REGIONS, (region) => powervs(version, region)) },
      },
      'rhel-coreos-extensions': {
        marketplace: { azure: { 'no-purchase-plan': azure(version, architecture) } },
      },
    },
  ]);
  return { stream: `rhcos-${version}`, architectures: Object.fromEntries(named) as object };
}

function inRegions(regions: readonly string[], imageIn: (region: string) => object): object {
  return Object.fromEntries(regions.map((region) => [region, imageIn(region)])) as object;
}

function ami(version: string, architecture: string, region: string): object {
  return { release: version, image: `ami-${hash(version, architecture, region).slice(0, 17)}` };
}

function powervs(version: string, region: string): object {
  return { release: version, object: `rhcos-${dashed(version)}-ppc64le-powervs.ova.gz`, bucket: `rhcos-${region}` };
}

function openstack(version: string, architecture: string): object {
  const location = `https://rhcos.example.com/${version}/rhcos-openstack.${architecture}.qcow2.gz`;
  return {
    release: version,
    formats: { 'qcow2.gz': { disk: { location, sha256: hash(version, architecture, 'openstack') } } },
  };
}

function azure(version: string, architecture: string): object {
  const image = { publisher: 'azureopenshift', offer: 'aro4', version: `${version}.0` };
  const sku = `aro_${dashed(version)}${architecture === 'amd64' ? '' : `-${architecture}`}`;
  return { hyperVGen1: { ...image, sku }, hyperVGen2: { ...image, sku: `${sku}-v2` } };
}

function dashed(version: string): string {
  return version.replaceAll('.', '-');
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex');
}
