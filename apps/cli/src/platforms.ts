import { ConversionPlatforms, HostingPlatforms } from '@capstan/provider';
import type { ConversionPlatform, HostingPlatform } from '@capstan/provider';

/** What a platform supports: hosting clusters, converting its machines between two APIs, or both. */
interface PlatformModule {
  readonly hosting?: HostingPlatform;
  readonly conversion?: ConversionPlatform;
}

/** The platforms of this program, one line each: whatever else is to know of them asks here. */
const REGISTRY: readonly (() => Promise<PlatformModule>)[] = [
  () => import('@capstan/provider-agent'),
  () => import('@capstan/provider-aws'),
  () => import('@capstan/provider-azure'),
  () => import('@capstan/provider-baremetal'),
  () => import('@capstan/provider-gcp'),
  () => import('@capstan/provider-ibmcloud'),
  () => import('@capstan/provider-kubevirt'),
  () => import('@capstan/provider-none'),
  () => import('@capstan/provider-nutanix'),
  () => import('@capstan/provider-openstack'),
  () => import('@capstan/provider-powervs'),
  () => import('@capstan/provider-vsphere'),
];

function modules(): Promise<readonly PlatformModule[]> {
  return Promise.all(REGISTRY.map((load) => load()));
}

/** Every platform that clusters can be hosted on. Loaded when asked for: most commands need none. */
export async function hostingPlatforms(): Promise<HostingPlatforms> {
  return new HostingPlatforms((await modules()).flatMap(({ hosting }) => hosting ?? []));
}

/** Every platform whose machines both Machine API and Cluster API know, and those that are refused with a reason. */
export async function conversionPlatforms(): Promise<ConversionPlatforms> {
  return new ConversionPlatforms((await modules()).flatMap(({ conversion }) => conversion ?? []));
}
