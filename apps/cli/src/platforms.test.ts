import * as providerSpecs from '@capstan/api/machine/provider-specs';
import { expect, it } from 'vitest';
import { conversionPlatforms } from './platforms.js';

const platforms = [...(await conversionPlatforms())].flatMap((each) => ('refused' in each ? [] : [each]));

/** A run on real servers compares these lists with what upstream publishes, and nothing else. */
it.each(platforms.map((platform) => [platform.type, platform] as const))(
  'machines on %s are held to the fields that their authors publish',
  (_type, { providerSpec, status }) => {
    const lists: readonly (readonly string[])[] = Object.values(providerSpecs);
    expect(lists).toContain(providerSpec.fields);
    if (status !== undefined) expect(lists).toContain(status.providerStatus.fields);
  },
);
