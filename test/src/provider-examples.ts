import type { Kind } from '@capstan/api/model';
import type { HostingPlatform } from '@capstan/provider';
import type { HostingExamples } from '@capstan/provider/testing';

/** Groups of the kinds that platforms create, by the folder that publishes them. */
const FOLDERS = ['agent', 'aws', 'azure', 'gcp', 'kubevirt', 'openstack', 'openstack-resources', 'powervs'];

/** Imports a module by a name built at run time, so that tests compile when a platform is removed. */
async function load<T>(specifier: string): Promise<T> {
  return (await import(/* @vite-ignore */ specifier)) as T;
}

/** The examples that the package of a platform has for tests. */
export async function examplesOf({ key }: Pick<HostingPlatform, 'key'>): Promise<HostingExamples> {
  return (await load<{ examples: HostingExamples }>(`@capstan/provider-${key}/testing`)).examples;
}

/** All kinds of infrastructure that the project publishes. */
export async function infrastructureKinds(): Promise<readonly Kind[]> {
  const folders = FOLDERS.map((folder) => load<{ kinds: readonly Kind[] }>(`@capstan/api/infrastructure/${folder}`));
  return (await Promise.all(folders)).flatMap(({ kinds }) => kinds);
}
