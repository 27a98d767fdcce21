import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { SHIM_NAME } from '@capstan/conversion-shim/manifests';
import { VERSION_ANNOTATION } from '@capstan/hypershift/manifests';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { isStandardName } from '@capstan/translate/mirror';
import type { SourceObject } from '@capstan/translate/mirror';
import { clientVersion } from '../client-version.js';
import { mirrorAll } from '../crds/mirror.js';
import { CliError } from '../errors.js';
import { infrastructureKinds, infrastructurePlatforms } from '../infrastructure-kinds.js';
import type { InstallSettings } from './components.js';

/** Under which names hosted clusters keep their groups. */
export const MAPPING: GroupMapping = new GroupMapping(CLUSTER_API_RULES);
/** The Secret of the certificate of the shim. */
export const SHIM_SECRET: string = `${SHIM_NAME}-serving-cert`;

/** The CRDs that come with this program, as Cluster API and its providers publish them. */
export async function standardDefinitions(): Promise<readonly KubeObject[]> {
  const infrastructure = await infrastructureKinds(infrastructurePlatforms);
  return [...clusterApiKinds, ...infrastructure].map((kind) => crd(kind) as unknown as KubeObject);
}

/** The private CRDs of the given standard ones, or of those that come with this program. */
export function privateDefinitions(
  shipped: readonly KubeObject[],
  { caBundles, namespace, sources }: Pick<InstallSettings, 'caBundles' | 'namespace' | 'sources'>,
): ReturnType<typeof mirrorAll> {
  const given: readonly SourceObject[] =
    sources ?? shipped.map((object) => ({ object, where: object.metadata.name ?? '' }));
  const standard = given.filter(({ object }) => isStandardName(nameIn(object), MAPPING));
  if (standard.length === 0)
    throw new CliError(
      '--crds-from names no CRD of Cluster API',
      'name a file or folder with the CRDs of the standard groups, such as clusters.cluster.x-k8s.io',
    );
  const caBundle = caBundles[SHIM_SECRET];
  const shim = { namespace, name: SHIM_NAME };
  return mirrorAll(standard, { mapping: MAPPING, shim, ...(caBundle === undefined ? {} : { caBundle }) });
}

/** The group in the name of a CRD. */
export function groupOfCrd(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** The name of a CRD; empty for any other object. */
export function nameIn(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as Partial<KubeObject>;
  return kind === 'CustomResourceDefinition' ? (metadata?.name ?? '') : '';
}

/** The private CRDs of an installation without `--crds-from`, as it applies them. */
export async function renderPrivateCrds({
  caBundle,
  namespace,
}: {
  readonly namespace: string;
  readonly caBundle: string | undefined;
}): Promise<readonly KubeObject[]> {
  const caBundles = caBundle === undefined ? {} : { [SHIM_SECRET]: caBundle };
  const { definitions } = privateDefinitions(await standardDefinitions(), { caBundles, namespace });
  return definitions.map((each) => versioned(each, { version: clientVersion() }));
}

/** Marked with the version that installs it. */
export function versioned(object: KubeObject, { version }: Pick<InstallSettings, 'version'>): KubeObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [VERSION_ANNOTATION]: version };
  return { ...object, metadata: { ...metadata, annotations } };
}
