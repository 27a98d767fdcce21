import type { HostedCluster } from '@capstan/api/hypershift';
import { CLUSTER_API_IMAGE_ANNOTATION, CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION } from '@capstan/hosting';
import type { ImageSource, ReleaseView } from '@capstan/provider';

/** Where images are looked for. */
export interface ImagePlaces {
  readonly hostedCluster: HostedCluster;
  readonly release: ReleaseView;
  readonly env: Readonly<Record<string, string>>;
}

export const CONTROL_PLANE_OPERATOR_IMAGE: ImageSource = {
  payload: 'hypershift',
  annotation: CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
};
export const CLUSTER_API_IMAGE: ImageSource = {
  payload: 'cluster-capi-controllers',
  env: 'IMAGE_CLUSTER_API',
  annotation: CLUSTER_API_IMAGE_ANNOTATION,
};

/** The image of a component: from the cluster's annotation, else the environment, else the payload. */
export function imageOf(source: ImageSource, { env, hostedCluster, release }: ImagePlaces): string | undefined {
  const { annotation, env: variable, fallback, payload } = source;
  const places = [
    annotation === undefined ? undefined : hostedCluster.metadata.annotations?.[annotation],
    variable === undefined ? undefined : env[variable],
    payload === undefined ? undefined : release.image(payload),
    fallback,
  ];
  return places.find((image) => image !== undefined && image !== '');
}

/** Where an image would have to be named for it to be found. */
export function imagePlaceText({ annotation, env, payload }: ImageSource): string {
  const places = [
    payload === undefined ? undefined : `${payload} in the release payload`,
    env === undefined ? undefined : `the variable ${env} of the operator`,
    annotation === undefined ? undefined : `the annotation ${annotation}`,
  ];
  return places.filter((place) => place !== undefined).join(', ');
}
