import type { Problem } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ConformanceCheck, Subject } from './conformance-subject.js';
import { isRefused, must, poolInputsOf, outputsOfCluster, outputsOfPool, inputsOf } from './conformance-subject.js';
import { controlPlaneInputs } from './inputs.js';

const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const NAME = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;
/** Secrets that core puts into every control plane namespace. */
const OF_CORE = ['service-network-admin-kubeconfig', 'admin-kubeconfig', 'pull-secret', 'capi-webhooks-tls'];

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isJson);
}

function wellFormed(object: KubeObject): void {
  const { apiVersion, kind, metadata } = object;
  must(apiVersion !== '' && kind !== '', `an object has no kind: ${JSON.stringify(object)}`);
  must(NAME.test(metadata.name ?? ''), `"${metadata.name}" is no name for a ${kind}`);
  must(isJson(object), `${kind} ${metadata.name} holds what is no JSON`);
}

function addressable({ platform }: Subject, object: KubeObject): void {
  wellFormed(object);
  const isKnown = platform.companionKinds?.some(
    ({ group, kind, version }) =>
      kind === object.kind && `${group === '' ? '' : `${group}/`}${version}` === object.apiVersion,
  );
  must(isKnown === true, `${object.apiVersion} ${object.kind} is not among companionKinds`);
}

function readable(problems: readonly Problem[], beginning: RegExp): void {
  for (const { message, path } of problems) {
    must(beginning.test(path), `"${path}" is no path`);
    must(message.split(' ').length > 3 && !message.includes('undefined'), `"${message}" does not say what to do`);
  }
}

function mustNotThrow(what: string, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    must(false, `${what} throws: ${String(error)}`);
  }
}

function clusterChecks(subject: Subject): ConformanceCheck[] {
  const { examples, platform } = subject;
  const allInputs = (): ReturnType<typeof inputsOf>[] => examples.clusters.map((each) => inputsOf(subject, each));
  return [
    {
      name: 'clusters of the examples are taken',
      run: () => {
        for (const inputs of allInputs()) {
          const problems = platform.validate(inputs);
          must(problems.length === 0, `refused: ${problems.map(({ message }) => message).join('; ')}`);
        }
      },
    },
    {
      name: 'a cluster without settings or without its Secrets is refused or made, and breaks nothing',
      run: () => {
        const bare = inputsOf(subject, {});
        mustNotThrow('a cluster without settings', () => outputsOfCluster(subject, bare));
        readable(platform.validate(bare), /^spec\./);
        for (const inputs of allInputs()) {
          const poor = { ...inputs, secrets: new Map<string, KubeObject>() };
          mustNotThrow('a cluster without Secrets', () => outputsOfCluster(subject, poor));
        }
      },
    },
    {
      name: 'what is outputs of a cluster is JSON, and the same when asked again',
      run: () => {
        for (const inputs of allInputs()) {
          const [first, second] = [outputsOfCluster(subject, inputs), outputsOfCluster(subject, inputs)];
          must(
            JSON.stringify(first) === JSON.stringify(second),
            'two calls with the same inputs give different outputs',
          );
          must(isJson(JSON.parse(JSON.stringify(first))), 'its outputs are not JSON');
          must(isJson(platform.cluster?.spec(inputs) ?? {}), 'the infrastructure cluster holds what is no JSON');
        }
      },
    },
    {
      name: 'the endpoint is left to core',
      run: () => {
        for (const inputs of allInputs()) {
          const spec = platform.cluster?.spec(inputs) ?? {};
          must(!Object.hasOwn(spec, 'controlPlaneEndpoint'), 'the infrastructure cluster sets the endpoint itself');
        }
      },
    },
    {
      name: 'credentials are Secrets of the control plane namespace, from Secrets that are asked for',
      run: () => {
        for (const inputs of allInputs()) {
          for (const secret of platform.credentials(inputs)) {
            wellFormed(secret);
            must(secret.kind === 'Secret', `${secret.kind} ${secret.metadata.name} is no Secret`);
            must(secret.metadata.namespace === inputs.controlPlaneNamespace, `${secret.metadata.name} is elsewhere`);
          }
          const given = new Set(examples.secrets.map(({ metadata }) => metadata.name));
          for (const name of platform.secretNames(inputs)) must(given.has(name), `the examples lack Secret ${name}`);
          for (const object of platform.cluster?.companions?.(inputs) ?? []) addressable(subject, object);
        }
      },
    },
  ];
}

function programChecks(subject: Subject): ConformanceCheck[] {
  const { examples, platform } = subject;
  return [
    {
      name: 'the controller gets its namespace, has an image, and reads Secrets that are there',
      run: () => {
        for (const settings of examples.clusters) {
          const inputs = inputsOf(subject, settings);
          const made = platform.program?.(inputs);
          if (made === undefined) continue;
          const known = [
            inputs.controlPlaneNamespace,
            ...(platform.namespaces?.(inputs) ?? []).map(({ name }) => name),
          ];
          for (const { kind, metadata } of made.objects ?? [])
            must(
              metadata.namespace === undefined || known.includes(metadata.namespace),
              `${kind} ${metadata.name} is in namespace ${metadata.namespace}, which nobody asks for`,
            );
          const there = new Set([...OF_CORE, ...platform.credentials(inputs).map(({ metadata }) => metadata.name)]);
          const [manager] = made.containers;
          must(manager.name === 'manager', `the first container is ${manager.name}, not manager`);
          must(manager.args.join(' ').includes(inputs.controlPlaneNamespace), 'the manager does not get its namespace');
          for (const { image, name, secrets = {} } of made.containers) {
            must(
              Object.values(image).some((each) => each !== undefined),
              `container ${name} has no image`,
            );
            for (const secret of Object.values(secrets)) must(there.has(secret), `nobody makes Secret ${secret}`);
          }
          for (const object of made.objects ?? []) wellFormed(object);
          for (const { apiGroups, resources } of made.rules)
            must(!(apiGroups.includes('*') && resources.includes('*')), 'a rule lets the program do anything');
        }
      },
    },
    {
      name: 'components of the control plane have names, images and Secrets that are there',
      run: () => {
        for (const settings of examples.clusters) {
          const there = new Set(platform.credentials(inputsOf(subject, settings)).map(({ metadata }) => metadata.name));
          const made = platform.components(controlPlaneInputs(platform, settings));
          must(new Set(made.map(({ name }) => name)).size === made.length, 'two components have one name');
          for (const component of made) {
            must(LABEL.test(component.name), `"${component.name}" is no name of a component`);
            for (const path of Object.keys(component.files ?? {})) must(path.startsWith('/'), `${path} is no path`);
            for (const { image, name, secrets = {} } of [component, ...(component.sidecars ?? [])]) {
              must(image !== '', `container ${name} has no image`);
              for (const secret of Object.values(secrets))
                must(there.has(secret) || OF_CORE.includes(secret), `nobody makes Secret ${secret}`);
            }
          }
        }
      },
    },
  ];
}

function poolChecks(subject: Subject): ConformanceCheck[] {
  const { examples, platform } = subject;
  return [
    {
      name: 'pools of the examples have a template, the same when asked again',
      run: () => {
        must(platform.nodePools.architectures.length > 0, 'it has machines of no architecture');
        for (const pool of examples.pools) {
          const inputs = poolInputsOf(subject, pool);
          const outputs = outputsOfPool(subject, inputs);
          must(
            ((outputs['problems'] as readonly unknown[] | undefined) ?? []).length === 0,
            JSON.stringify(outputs['problems']),
          );
          must(
            JSON.stringify(outputs) === JSON.stringify(outputsOfPool(subject, inputs)),
            'two calls with the same inputs give different outputs',
          );
          if (platform.machineTemplate === undefined) continue;
          const spec = platform.machineTemplate.spec(inputs) as JsonObject;
          must(typeof (spec['template'] as JsonObject | undefined)?.['spec'] === 'object', 'there is no template.spec');
          must(isJson(spec), 'the template holds what is no JSON');
          for (const object of platform.machineTemplate.companions?.(inputs) ?? []) addressable(subject, object);
        }
      },
    },
    {
      name: 'a pool without settings is refused or made, and breaks nothing',
      run: () => {
        const bare = poolInputsOf(subject, {});
        mustNotThrow('a pool without settings', () => outputsOfPool(subject, bare));
        const problems = platform.validateNodePool(bare);
        const made = problems.length > 0 ? problems : (platform.machineTemplate?.spec(bare) ?? {});
        if (isRefused(made)) readable(made, /^spec\./);
      },
    },
  ];
}

/** What must be true of all that a platform makes. */
export function objectChecks(subject: Subject): ConformanceCheck[] {
  return [...clusterChecks(subject), ...programChecks(subject), ...poolChecks(subject)];
}
