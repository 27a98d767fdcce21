import { hashBytes } from '@capstan/hosting';
import type { HostingPlatform } from '../hosting/platform.js';
import type { HostingExamples } from './conformance-subject.js';
import { poolInputsOf, sayingsOfCluster, sayingsOfPool, inputsOf } from './conformance-subject.js';

/** Texts of Secrets are shown, and what core hashes is named by its hash: so a change that replaces machines is seen. */
function shown(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'Secret') return value;
  const { data, ...rest } = value as { data?: Record<string, string> };
  const texts = Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]);
  return { ...rest, texts: Object.fromEntries(texts) as unknown };
}

/** All that a platform says of itself and of the examples, to be kept beside it and read by whoever reviews a change. */
export function hostingScenario(platform: HostingPlatform, examples: HostingExamples): string {
  const subject = { platform, examples };
  const { cluster, machineTemplate, nodePools } = platform;
  const row = {
    type: platform.type,
    key: platform.key,
    hasSettings: platform.hasSettings,
    cluster: cluster === undefined ? undefined : { ...cluster },
    machineTemplate: machineTemplate === undefined ? undefined : { ...machineTemplate },
    nodePools,
    companionKinds: platform.companionKinds,
    leftovers: platform.leftovers,
  };
  const clusters = examples.clusters.map((settings) => sayingsOfCluster(subject, inputsOf(subject, settings)));
  const pools = examples.pools.map((settings) => {
    const said = sayingsOfPool(subject, poolInputsOf(subject, settings));
    const named = JSON.stringify(said['named'] ?? said['spec'] ?? {});
    return { ...said, named: hashBytes(new TextEncoder().encode(named)) };
  });
  return `${JSON.stringify({ row, clusters, pools }, shown, 2)}\n`;
}
