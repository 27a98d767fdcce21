import type { Container, PodSpec } from './pod.js';
import { allContainers } from './pod.js';
import { SidecarError } from './errors.js';

/** Where a proxy listens. */
export interface SidecarPorts {
  /** For the containers of its pod. */
  readonly port: number;
  /** For probes and scrapers. */
  readonly healthPort: number;
}

/** What is known of the ports of a pod besides its template. */
export interface PortOptions {
  /** Default: 8080, or the next free one of {@link SPARE_PORTS}. */
  readonly port?: number | undefined;
  /** Default: 8081, or the next free one of {@link SPARE_PORTS}. */
  readonly healthPort?: number | undefined;
  /** Ports that its containers listen on without declaring them. */
  readonly reservedPorts?: readonly number[] | undefined;
}

const PORT = 8080;
const HEALTH_PORT = 8081;
/** Taken in this order where the usual ones are in use; below the range of node ports and of outgoing connections. */
export const SPARE_PORTS: readonly number[] = Array.from({ length: 100 }, (_, at) => 18_080 + at);

/** A number as flags, addresses and URLs have ports; not a part of an IPv4 address or a version. */
const NUMBER = /(?<![\d.])\d{2,5}(?![\d.])/g;

/**
 * Ports for a proxy that no container of the pod uses: none that is declared, probed, named in a command, a flag or an
 * environment variable, or reserved. On the network of its node a pod never gets the usual ones, which others may have.
 */
export function choosePorts(spec: PodSpec, { healthPort, port, reservedPorts = [] }: PortOptions): SidecarPorts {
  for (const wanted of [port, healthPort]) if (wanted !== undefined) refuseDeclared(spec, wanted);
  if (port !== undefined && port === healthPort)
    throw new SidecarError(
      'bad-options',
      `port ${port} cannot be both that of the proxy and that of its health checks`,
    );
  const used = new Set([...reservedPorts, ...allContainers(spec).flatMap(portsOf)]);
  if (port !== undefined) used.add(port);
  if (healthPort !== undefined) used.add(healthPort);
  const free = (usual: number): number => {
    const candidates = spec.hostNetwork === true ? SPARE_PORTS : [usual, ...SPARE_PORTS];
    const found = candidates.find((each) => !used.has(each));
    if (found === undefined) throw new SidecarError('bad-options', 'no port is free: choose one for the proxy');
    used.add(found);
    return found;
  };
  return { port: port ?? free(PORT), healthPort: healthPort ?? free(HEALTH_PORT) };
}

function refuseDeclared(spec: PodSpec, wanted: number): void {
  const owner = allContainers(spec).find(({ ports }) =>
    (ports ?? []).some(({ containerPort }) => containerPort === wanted),
  );
  if (owner !== undefined)
    throw new SidecarError('bad-options', `port ${wanted} is that of container ${owner.name}: choose another`);
}

/** Every number that may be a port: one too many costs nothing. */
function portsOf(container: Container): number[] {
  const { args, command, env, ports } = container;
  const declared = (ports ?? []).flatMap(({ containerPort, hostPort }) => [containerPort, hostPort]);
  const handlers = [
    container['livenessProbe'],
    container['readinessProbe'],
    container['startupProbe'],
    container['lifecycle'],
  ];
  const texts = [...(command ?? []), ...(args ?? []), ...(env ?? []).map(({ value }) => value)];
  const written = texts.flatMap((text) => (typeof text === 'string' ? [...text.matchAll(NUMBER)] : []));
  return [
    ...declared.filter((each) => each !== undefined),
    ...handlers.flatMap(numbersIn),
    ...written.map(([text]) => Number(text)),
  ];
}

/** The numbers of a probe or a hook, at any depth: its ports are among them. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
