import type { Reader } from '@capstan/kube';
import { apiErrors } from '@capstan/meta';
import { expect, it } from 'vitest';
import { ManualClock } from '@capstan/kube/testing';
import { BootstrapData } from './bootstrap-data.js';

function fixture(): { clock: ManualClock; data: BootstrapData; secrets: Map<string, string>; asked: string[] } {
  const clock = new ManualClock();
  const secrets = new Map<string, string>();
  const asked: string[] = [];
  const get = (_: unknown, name: string): Promise<unknown> => {
    asked.push(name);
    const value = secrets.get(name);
    if (value === undefined) return Promise.reject(apiErrors.notFound({ group: '', resource: 'secrets' }, name));
    return Promise.resolve({ data: { value: Buffer.from(value).toString('base64') } });
  };
  const apiReader = { get } as unknown as Reader;
  return { clock, data: new BootstrapData({ apiReader, clock } as never), secrets, asked };
}

it('asks once for the machines that come at once, and again for those that come later', async () => {
  const { clock, data, secrets, asked } = fixture();
  secrets.set('boot', 'first').set('other', 'else');
  const together = [data.read('ns', 'boot'), data.read('ns', 'boot'), data.read('ns', 'other')];
  expect(await Promise.all(together)).toEqual(['first', 'first', 'else']);
  expect(asked).toEqual(['boot', 'other']);
  secrets.set('boot', 'second');
  await clock.advance(1_000);
  expect(await data.read('ns', 'boot')).toBe('second');
});

it('looks again for what was not there', async () => {
  const { data, secrets } = fixture();
  expect(await data.read('ns', 'boot')).toBeUndefined();
  secrets.set('boot', 'now');
  expect(await data.read('ns', 'boot')).toBe('now');
});
