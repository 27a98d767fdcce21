import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { PlatformComponent } from '@capstan/provider';
import { COMPONENTS } from './catalogue/components.js';
import type { ComponentDefinition, ComponentInputs, Volume } from './definition.js';

/** The components that a control plane has. */
export function componentsFor(
  inputs: ComponentInputs,
  ofPlatform: readonly PlatformComponent[],
): readonly ComponentDefinition[] {
  return [...COMPONENTS, ...ofPlatform.map(platformComponent)].filter((definition) => isIncluded(definition, inputs));
}

function isIncluded({ containers, isOptional, isPartOf: fits }: ComponentDefinition, inputs: ComponentInputs): boolean {
  if (fits?.(inputs) === false) return false;
  const isThere = ({ image }: { readonly image: unknown }): boolean =>
    typeof image !== 'string' || inputs.image(image) !== undefined;
  return isOptional !== true || containers.every(isThere);
}

/** Names in a release of the images that components are made of, sorted. */
export function releaseImages(components: readonly ComponentDefinition[] = COMPONENTS): readonly string[] {
  const names = components.flatMap(({ containers }) => containers.map(({ image }) => image));
  return [...new Set(names.filter((name) => typeof name === 'string'))].toSorted();
}

function folderOf(path: string): string {
  return path.replace(/\/[^/]+$/, '');
}

/** A component of a platform in the words of this operator: one container that knows the way into the hosted cluster. */
export function platformComponent(component: PlatformComponent): ComponentDefinition {
  const { args, command, env, files = {}, image, name, needsManagementAccess, rules = [], secrets = {} } = component;
  const folders = [...new Set(Object.keys(files).map(folderOf))];
  const mounts: Record<string, Volume> = {
    [folderOf(GUEST_KUBECONFIG)]: { secret: 'service-network-admin-kubeconfig' },
    ...Object.fromEntries(Object.entries(secrets).map(([path, secret]) => [path, { secret }])),
    ...Object.fromEntries(folders.map((folder) => [folder, { configMap: name }])),
  };
  const data = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path.slice(folderOf(path).length + 1), text]),
  );
  return {
    name,
    workload: 'Deployment',
    replicas: 'one',
    containers: [
      { name, image, command, args, ...(env === undefined ? {} : { env }), mounts, cpu: '75m', memory: '60Mi' },
    ],
    ...(needsManagementAccess === true ? { access: { rules } } : {}),
    ...(folders.length === 0 ? {} : { configs: () => [{ name, data }] }),
  };
}
