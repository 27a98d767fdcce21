import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';

/** The platforms of this program, one line each: whatever else is to know of them asks here. */
const REGISTRY: readonly (() => Promise<{ readonly hosting: HostingPlatform }>)[] = [
  () => import('@capstan/provider-agent'),
  () => import('@capstan/provider-aws'),
  () => import('@capstan/provider-azure'),
  () => import('@capstan/provider-gcp'),
  () => import('@capstan/provider-kubevirt'),
  () => import('@capstan/provider-none'),
  () => import('@capstan/provider-openstack'),
  () => import('@capstan/provider-powervs'),
];

/** Every platform that clusters can be hosted on. Loaded when asked for: most commands need none. */
export async function hostingPlatforms(): Promise<HostingPlatforms> {
  const modules = await Promise.all(REGISTRY.map((load) => load()));
  return new HostingPlatforms(modules.map(({ hosting }) => hosting));
}
