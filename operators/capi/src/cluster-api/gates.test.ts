import { describe, expect, it } from 'vitest';
import { gateNames, modeOf } from './gates.js';

const PLATFORMS = ['AWS', 'Azure', 'BareMetal', 'GCP', 'OpenStack', 'PowerVS', 'VSphere'];

describe.each(PLATFORMS)('the gates of %s', (platform) => {
  const { management, upgradeability } = gateNames(platform);

  it('are called as the platform is', () => {
    expect([management, upgradeability]).toEqual([
      `ClusterAPIMachineManagement${platform}`,
      `ClusterAPIMachineManagement${platform}Upgradeability`,
    ]);
  });

  it.each([
    ['none', [], { active: false, future: false }],
    ['upgradeability only', [upgradeability], { active: false, future: true }],
    ['management only', [management], { active: true, future: false }],
    ['both', [management, upgradeability], { active: true, future: true }],
  ])('with %s', (_which, enabled, mode) => {
    expect(modeOf(platform, new Set(enabled))).toEqual(mode);
  });

  it('do nothing on another platform', () => {
    const other = platform === 'AWS' ? 'GCP' : 'AWS';
    expect(modeOf(other, new Set([management, upgradeability]))).toEqual({ active: false, future: false });
  });
});

it('a cluster that does not say its platform has no gate', () => {
  expect(modeOf(undefined, new Set(['ClusterAPIMachineManagement']))).toEqual({ active: false, future: false });
});
