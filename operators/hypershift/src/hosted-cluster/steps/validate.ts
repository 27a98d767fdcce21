import type { HostingPlatform } from '@capstan/provider';
import { decide } from '../decide.js';
import { inputsOf, setFinding } from '../state.js';
import type { State } from '../state.js';
import { kindOfObject } from '../../kinds.js';

/** Decides whether the cluster can be created or changed; where it cannot, nothing of it is changed. */
export function validate(state: State): void {
  const { controlPlane, dependencies, findings, hostedCluster, namespace, owner, platform, release, snapshot } = state;
  const decision = decide({
    controlPlane,
    credentials: platform?.secretNames({ hostedCluster }),
    hostedCluster,
    missing: platform === undefined ? [] : missingDefinitions(state, platform),
    namespace,
    owner,
    platform,
    platformProblems: platform?.validate(inputsOf(state)) ?? [],
    platforms: dependencies.platforms,
    release,
    releaseImage: findings.get('ValidReleaseImage'),
    snapshot,
  });
  for (const finding of decision.findings) setFinding(state, finding);
  state.blocked = decision.blocked;
}

/** CRDs that a cluster of the platform needs and the management cluster lacks. Those of its NodePools are checked there. */
function missingDefinitions(state: State, platform: HostingPlatform): string[] {
  const { cluster, companionKinds, machineTemplate } = platform;
  const companions = cluster?.companions?.(inputsOf(state)) ?? [];
  return [
    cluster?.kind,
    machineTemplate?.kind,
    machineTemplate?.machine,
    ...companions.map((object) => kindOfObject(object, companionKinds)),
  ]
    .filter((kind) => kind !== undefined)
    .filter((kind) => !state.dependencies.cache.canRead(kind))
    .map(({ group, plural }) => `${plural}.${group}`);
}
