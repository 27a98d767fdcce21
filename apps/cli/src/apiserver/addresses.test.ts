import { describe, expect, it } from 'vitest';
import { dialAddress, servingNames } from './addresses.js';

describe('a server', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1:6443'],
    ['0.0.0.0', '127.0.0.1:6443'],
    ['::', '[::1]:6443'],
    ['fd00::1', '[fd00::1]:6443'],
    ['host.example', 'host.example:6443'],
  ])('on %s is dialled at %s', (host, address) => {
    expect(dialAddress(host, 6443)).toBe(address);
  });

  it('has the address it listens on in its certificate', () => {
    expect(servingNames('192.0.2.7').ipAddresses).toEqual(['127.0.0.1', '::1', '10.0.0.1', '192.0.2.7']);
    expect(servingNames('host.example').dnsNames).toContain('host.example');
    expect(servingNames('localhost').dnsNames.filter((name) => name === 'localhost')).toHaveLength(1);
  });

  it('on every address has no wildcard in its certificate', () => {
    expect(servingNames('0.0.0.0').ipAddresses).not.toContain('0.0.0.0');
    expect(servingNames('0.0.0.0').ipAddresses).toContain('127.0.0.1');
  });
});
