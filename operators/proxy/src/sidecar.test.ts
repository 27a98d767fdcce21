import { proxySidecar } from '@capstan/translate/sidecar';
import { expect, it } from 'vitest';
import { proxyOptionsFrom } from './config.js';

it('a sidecar has arguments that the proxy takes', () => {
  const flags = { listen: '127.0.0.1:8080', healthListen: '0.0.0.0:8081', responseTimeout: 1, drainTimeout: 1 };
  const { container } = proxySidecar({ image: 'capstan:test', native: false });
  expect(container['args']).toEqual([
    'proxy',
    `--listen=${flags.listen}`,
    `--health-listen=${flags.healthListen}`,
    '--held-response-limit=48',
    '--linger-timeout=25s',
  ]);
  expect(proxyOptionsFrom(flags)).toMatchObject({ health: { host: '0.0.0.0', port: 8081 } });
});
