import type { HostedControlPlane, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import {
  CLUSTER_ANNOTATION,
  CLUSTER_AUTOSCALER_IMAGE_ANNOTATION,
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  MACHINE_APPROVER_IMAGE_ANNOTATION,
} from '@capstan/hosting';
import type { Endpoint } from '@capstan/hosting';
import { hasSettings } from '@capstan/provider';
import type { HostingPlatforms, PlatformComponent } from '@capstan/provider';
import type { ReleasePayload } from '@capstan/release';
import { OWN_IMAGE } from '../component/catalogue/shared.js';
import type { ComponentInputs, ApiProxy } from '../component/definition.js';
import type { Owner } from '../objects/ownership.js';
import { firstAddress } from '../pki/certificates.table.js';
import { overridden } from '../settings.js';
import type { Settings } from '../settings.js';

/** The images of single components that a HostedCluster may name itself, by their name in the release. */
const IMAGE_ANNOTATIONS: Readonly<Record<string, string>> = {
  [OWN_IMAGE]: CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  'cluster-autoscaler': CLUSTER_AUTOSCALER_IMAGE_ANNOTATION,
  'cluster-machine-approver': MACHINE_APPROVER_IMAGE_ANNOTATION,
};

/** For whom the objects of a control plane are made. */
export function ownerOf(hcp: HostedControlPlane): Owner {
  const { annotations, name = '', namespace = '' } = hcp.metadata;
  return { object: hcp, cluster: annotations?.[CLUSTER_ANNOTATION] ?? `${namespace}/${name}` };
}

/** The image the control plane runs; its nodes may run another. */
export function controlPlaneImage({ controlPlaneReleaseImage = '', releaseImage }: HostedControlPlaneSpec): string {
  return controlPlaneReleaseImage === '' ? releaseImage : controlPlaneReleaseImage;
}

/** The platform of a control plane, or why its components are unknown. */
export type PlatformFindings =
  | { readonly components: readonly PlatformComponent[] }
  /** The provider has not written its settings into the control plane yet. */
  | { readonly isPending: true }
  | { readonly problem: string };

/** The components of the platform, from what its provider has written into the control plane. */
export function platformFindings(
  hcp: HostedControlPlane,
  spec: HostedControlPlaneSpec,
  platforms: HostingPlatforms,
): PlatformFindings {
  const { type } = spec.platform;
  const platform = platforms.find(type);
  if (platform === undefined) {
    const types = platforms.types.join(', ');
    return { problem: `spec.platform.type is ${type}, which this installation does not have: it has ${types}` };
  }
  if (platform.hasSettings && !hasSettings({ spec }, platform)) return { isPending: true };
  const { infraID } = spec;
  const inputs = { controlPlane: hcp, controlPlaneNamespace: hcp.metadata.namespace ?? '', infraID };
  return { components: platform.components(inputs) };
}

/** What a plan is made from. */
export interface Planned {
  readonly payload: ReleasePayload;
  readonly endpoint: Endpoint | undefined;
  readonly platforms: HostingPlatforms;
  readonly settings: Settings;
  readonly proxy: ApiProxy | undefined;
}

/** What components are made of. */
export function componentInputs(
  hcp: HostedControlPlane,
  spec: HostedControlPlaneSpec,
  given: Planned,
): ComponentInputs {
  const { annotations = {}, name = '', namespace = '' } = hcp.metadata;
  const { endpoint, payload, platforms, proxy, settings } = given;
  const image = (component: string): string | undefined => {
    const asked = IMAGE_ANNOTATIONS[component];
    const found =
      (asked === undefined ? undefined : annotations[asked]) ??
      settings.imageOverrides.get(component) ??
      payload.image(component);
    return found === undefined ? undefined : overridden(found, settings.registryOverrides);
  };
  return {
    namespace,
    name,
    infraID: spec.infraID,
    spec,
    annotations,
    version: payload.version,
    releaseImage: controlPlaneImage(spec),
    image,
    endpoint,
    templateGroup: platforms.find(spec.platform.type)?.machineTemplate?.kind.group,
    proxy,
  };
}

/** Identifies {@link ComponentInputs}: equal keys mean equal inputs. */
export function inputsKey(
  hcp: HostedControlPlane,
  { pullSpec }: ReleasePayload,
  endpoint: Endpoint | undefined,
): string {
  const { annotations, generation, uid } = hcp.metadata;
  return JSON.stringify([uid, generation, annotations, pullSpec, endpoint]);
}

/** Names and addresses the API server is reached by from outside, and by pods of its own cluster. */
export function apiServerHosts(spec: HostedControlPlaneSpec, name: string, endpoint: Endpoint): readonly string[] {
  const inside = (spec.networking?.serviceNetwork ?? []).map(({ cidr }) => firstAddress(cidr));
  const hosts = [
    endpoint.host,
    spec.kubeAPIServerDNSName,
    spec.networking?.apiServer?.advertiseAddress,
    `api.${name}.hypershift.local`,
    ...inside,
  ];
  return hosts.flatMap((host) => (host === undefined || host === '' ? [] : [host]));
}
