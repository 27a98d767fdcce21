import type { MachinePlatform } from '@capstan/convert/machine-api';
import type { ConversionPlatforms } from '@capstan/provider';
import { PLATFORMS } from '@capstan/upstream';
import type { InfrastructurePlatform } from '@capstan/upstream';
import { NoVerdictError } from '../../errors.js';

const hint = 'machines of this platform stay in Machine API';

/** The platform that the Infrastructure names; what is wrong where it has no conversion. */
export function conversionOf(platform: string, platforms: ConversionPlatforms): MachinePlatform {
  const found = [...platforms].find((each) => 'type' in each && each.type === platform);
  if (found === undefined) throw new NoVerdictError(`platform ${JSON.stringify(platform)} is not supported`, hint);
  if ('refused' in found) throw new NoVerdictError(`platform ${platform}: ${found.refused}`, hint);
  return found;
}

/** Its provider, as far as there is a stand-in. */
export function infrastructureOf(platform: string, platforms: ConversionPlatforms): InfrastructurePlatform {
  const { machine } = conversionOf(platform, platforms);
  const row = Object.values(PLATFORMS).find(({ prefix }) => `${prefix}Machine` === machine.kind.kind);
  if (row === undefined) throw new NoVerdictError(`there is no stand-in for the provider of ${platform}`, hint);
  return row;
}
