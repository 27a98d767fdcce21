import type { NetworkInterfaceInfo } from 'node:os';

import { describe, expect, it } from 'vitest';

import { nonLoopbackAddress } from './network.js';

function ipv4(address: string, internal = false): NetworkInterfaceInfo {
  return {
    family: 'IPv4',
    address,
    internal,
    netmask: '255.255.255.0',
    mac: '00:00:00:00:00:00',
    cidr: `${address}/24`,
  };
}

function ipv6(address: string): NetworkInterfaceInfo {
  return { family: 'IPv6', address, internal: false, netmask: 'ffff::', mac: '', cidr: `${address}/64`, scopeid: 0 };
}

describe('nonLoopbackAddress', () => {
  it('passes over what Endpoints validation refuses', () => {
    const interfaces = {
      lo: [ipv4('127.0.0.1', true)],
      usb0: [ipv4('169.254.7.7')],
      eth0: [ipv6('fd00::5'), ipv4('10.1.2.3')],
    };
    expect(nonLoopbackAddress(interfaces)).toBe('10.1.2.3');
  });

  it('is undefined when there is none', () => {
    expect(nonLoopbackAddress({ lo: [ipv4('127.0.0.1', true)] })).toBeUndefined();
  });
});
