import type { Service, ServicePort } from '../endpoints/addresses.js';
import { specOf } from '../workload/pod-spec.js';
import type { Container, EnvFromSource, EnvVar, KeyRef } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import { fieldText, resourceText } from './downward.js';
import type { PodPlace } from './downward.js';
import { feedBytes, feedKeys } from './objects.js';
import type { Feed, FeedKind, PodFeeds } from './objects.js';

/** What the environment of a container is made of. */
export interface EnvInputs {
  readonly pod: Pod;
  readonly place: PodPlace;
  readonly feeds: PodFeeds;
  /** The service of the API server first, then those of the pod's namespace. */
  readonly services: readonly Service[];
}

/** Variables, or why the container cannot be made. */
export type ResolvedEnv = { readonly env: Record<string, string> } | { readonly failure: string };

/** A failure on the way; caught where the environment is asked for. */
class EnvFailure extends Error {}

/** The environment of a container. What refers to objects is read from the server. */
export async function resolveEnv(container: Container, inputs: EnvInputs): Promise<ResolvedEnv> {
  const services = serviceEnv(inputs.services);
  const env: Record<string, string> = {};
  try {
    for (const source of container.envFrom ?? []) await addEnvFrom(env, source, inputs);
    for (const variable of container.env ?? []) {
      const value = await variableValue(variable, { ...services, ...env }, container, inputs);
      if (value !== undefined) env[variable.name] = value;
    }
  } catch (error) {
    if (error instanceof EnvFailure) return { failure: error.message };
    throw error;
  }
  return { env: { ...services, HOSTNAME: hostnameOf(inputs.pod), ...env } };
}

/** The name a pod has to itself. */
export function hostnameOf(pod: Pod): string {
  const { hostname = '' } = specOf(pod);
  return hostname === '' ? (pod.metadata.name ?? '').slice(0, 63) : hostname;
}

async function addEnvFrom(env: Record<string, string>, source: EnvFromSource, inputs: EnvInputs): Promise<void> {
  const { configMapRef, prefix = '', secretRef } = source;
  const [kind, ref] =
    configMapRef === undefined ? (['secret', secretRef] as const) : (['configmap', configMapRef] as const);
  const name = ref?.name ?? '';
  const feed = await loadFeed(kind, name, ref?.optional === true, inputs);
  if (feed === undefined) return;
  for (const key of feedKeys(feed)) env[`${prefix}${key}`] = textOf(feedBytes(kind, feed, key));
}

async function loadFeed(kind: FeedKind, name: string, optional: boolean, inputs: EnvInputs): Promise<Feed | undefined> {
  const feed = await inputs.feeds.load(kind, name);
  if (feed === undefined && !optional) throw new EnvFailure(`${kind} "${name}" not found`);
  return feed;
}

async function variableValue(
  { value, valueFrom }: EnvVar,
  known: Readonly<Record<string, string>>,
  container: Container,
  inputs: EnvInputs,
): Promise<string | undefined> {
  if (valueFrom === undefined) return expand(value ?? '', known);
  const { configMapKeyRef, fieldRef, resourceFieldRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldText(inputs.pod, fieldRef.fieldPath, inputs.place) ?? '';
  if (resourceFieldRef !== undefined) return resourceText(inputs.pod, resourceFieldRef, container.name, inputs.place);
  if (configMapKeyRef !== undefined) return keyValue('configmap', configMapKeyRef, inputs);
  return secretKeyRef === undefined ? '' : keyValue('secret', secretKeyRef, inputs);
}

async function keyValue(
  kind: FeedKind,
  { key, name = '', optional = false }: KeyRef,
  inputs: EnvInputs,
): Promise<string | undefined> {
  const feed = await loadFeed(kind, name, optional, inputs);
  const bytes = feed === undefined ? undefined : feedBytes(kind, feed, key);
  if (bytes !== undefined) return textOf(bytes);
  if (optional) return undefined;
  const title = kind === 'secret' ? 'Secret' : 'ConfigMap';
  throw new EnvFailure(`couldn't find key ${key} in ${title} ${inputs.pod.metadata.namespace ?? ''}/${name}`);
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

/** Replaces `$(NAME)` where NAME is known; `$$` stands for `$`. */
export function expand(text: string, known: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([^()]*)\)/g, (whole: string, name: string | undefined) => {
    if (name === undefined) return '$';
    return Object.hasOwn(known, name) ? (known[name] ?? '') : whole;
  });
}

/** `WEB_SERVICE_HOST` and the like. */
function serviceEnv(services: readonly Service[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const service of services) addService(env, service);
  return env;
}

function addService(env: Record<string, string>, { metadata, spec }: Service): void {
  const { clusterIP: ip = '', ports = [] } = spec ?? {};
  const [first] = ports;
  if (ip === '' || ip === 'None' || first === undefined) return;
  const name = variableName(metadata.name ?? '');
  env[`${name}_SERVICE_HOST`] = ip;
  env[`${name}_SERVICE_PORT`] = String(first.port);
  addNamedPorts(env, name, ports);
  env[`${name}_PORT`] = `${(first.protocol ?? 'TCP').toLowerCase()}://${ip}:${first.port}`;
}

function addNamedPorts(env: Record<string, string>, service: string, ports: readonly ServicePort[]): void {
  for (const { name = '', port } of ports)
    if (name !== '') env[`${service}_SERVICE_PORT_${variableName(name)}`] = String(port);
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
