/** What the feature gates of the platform let this operator do. */
export interface Mode {
  /** Installs what it manages of the active release, and requires the rest of those who do. */
  readonly active: boolean;
  /** Checks what there is against the release an upgrade would bring. */
  readonly future: boolean;
}

/** The gate that turns Cluster API on for a platform, and the one that prepares for it a release earlier. */
export function gateNames(platform: string): { readonly management: string; readonly upgradeability: string } {
  const management = `ClusterAPIMachineManagement${platform}`;
  return { management, upgradeability: `${management}Upgradeability` };
}

/** The mode that the enabled gates come to on a platform. */
export function modeOf(platform: string | undefined, enabled: ReadonlySet<string>): Mode {
  if (platform === undefined || platform === '') return { active: false, future: false };
  const { management, upgradeability } = gateNames(platform);
  return { active: enabled.has(management), future: enabled.has(upgradeability) };
}
