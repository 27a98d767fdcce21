import type { CreateFlag, CreateRequest } from '../hosting/create.js';
import type { ConformanceCheck, Subject } from './conformance-subject.js';
import { must, poolInputsOf, inputsOf } from './conformance-subject.js';

function requestOf(flags: readonly CreateFlag[], given: Readonly<Record<string, string>>): CreateRequest {
  const defaults = flags.flatMap((flag) => (flag.default === undefined ? [] : [[flag.name, flag.default] as const]));
  return {
    name: 'example',
    namespace: 'clusters',
    infraID: 'example-x7k2p',
    baseDomain: 'fleet.example.com',
    flags: { ...Object.fromEntries(defaults), ...given },
  };
}

/** What must be true of what the command line makes. */
export function createChecks(subject: Subject): ConformanceCheck[] {
  const { examples, platform } = subject;
  const { clusterFlags, nodePoolFlags } = platform.create;
  const flags = [...clusterFlags, ...nodePoolFlags];
  return [
    {
      name: 'flags of the command line have names and help',
      run: () => {
        must(new Set(flags.map(({ name }) => name)).size === flags.length, 'two flags have one name');
        for (const { help, name } of flags) must(/^[a-z][a-z0-9-]*$/.test(name) && help !== '', `flag "${name}"`);
      },
    },
    {
      name: 'without flags the command line creates something or names those it needs',
      run: () => {
        for (const made of [
          platform.create.cluster(requestOf(flags, {})),
          platform.create.nodePool(requestOf(flags, {})),
        ])
          if (Array.isArray(made))
            for (const { path } of made) must(path.startsWith('--'), `a problem of the command line is at ${path}`);
      },
    },
    {
      name: 'what the command line makes is taken',
      run: () => {
        const request = requestOf(flags, examples.createFlags);
        const made = platform.create.cluster(request);
        if (!('publishing' in made)) throw new TypeError(JSON.stringify(made));
        const secrets = [...examples.secrets, ...made.objects];
        const inputs = inputsOf({ platform, examples: { ...examples, secrets } }, made.settings ?? {});
        const problems = platform.validate(inputs);
        must(problems.length === 0, JSON.stringify(problems));
        const named = new Set(made.objects.map(({ metadata }) => metadata.name));
        for (const name of platform.secretNames(inputs)) must(named.has(name), `nobody makes Secret ${name}`);
        for (const { metadata } of made.objects)
          must(metadata.namespace === request.namespace, `${metadata.name} is in another namespace`);
        const pool = platform.create.nodePool(request) ?? {};
        must(!Array.isArray(pool), JSON.stringify(pool));
        const poolProblems = platform.validateNodePool(poolInputsOf(subject, pool as never));
        must(poolProblems.length === 0, JSON.stringify(poolProblems));
      },
    },
  ];
}
