import { describe, expect, it } from 'vitest';
import { ConversionPlatforms } from '../conversion-registry.js';
import { checkTotality } from './conversion-trial.js';
import { driftwoodConversion, harbourConversion } from './harbour-conversion.js';

describe('the made-up platform in both APIs', () => {
  it('has one rule for every field', () => checkTotality(harbourConversion));

  it('is found by the kinds that its objects carry', () => {
    const platforms = new ConversionPlatforms([harbourConversion, driftwoodConversion]);
    expect(platforms.ofProviderSpec('HarbourMachineProviderSpec')).toBe(harbourConversion);
    expect(platforms.ofProviderSpec('DriftwoodMachineProviderSpec')).toBe(driftwoodConversion);
    expect(platforms.ofProviderSpec('OtherMachineProviderSpec')).toBeUndefined();
    const group = 'infrastructure.cluster.x-k8s.io';
    for (const kind of ['HarbourMachine', 'HarbourMachineTemplate', 'HarbourCluster'])
      expect(platforms.ofInfrastructure(group, kind)).toBe(harbourConversion);
    expect(platforms.ofInfrastructure('other.example.com', 'HarbourMachine')).toBeUndefined();
    expect(platforms.providerSpecKinds).toEqual(['DriftwoodMachineProviderSpec', 'HarbourMachineProviderSpec']);
    expect(() => new ConversionPlatforms([driftwoodConversion, driftwoodConversion])).toThrow(
      'provider specs of kind DriftwoodMachineProviderSpec have two platforms',
    );
  });
});
