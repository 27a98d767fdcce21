import { expect, it } from 'vitest';
import { hasSettings, settingsOf } from './settings.js';

const KEY = { key: 'harbour' };

it.each([
  ['nothing', {}, false, {}],
  ['the type alone', { platform: { type: 'Harbour' } }, false, {}],
  ['no settings', { platform: { type: 'Harbour', harbour: null } }, false, {}],
  ['empty settings', { platform: { type: 'Harbour', harbour: {} } }, true, {}],
  ['settings', { platform: { type: 'Harbour', harbour: { berth: 1 } } }, true, { berth: 1 }],
])('an object with %s has settings of its platform: %j', (_what, spec, has, settings) => {
  expect([hasSettings({ spec } as never, KEY), settingsOf({ spec } as never, KEY)]).toEqual([has, settings]);
});
