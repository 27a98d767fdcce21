import type { HostingExamples } from '@capstan/provider/testing';

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [{}],
  pools: [{}],
  secrets: [],
  bootImages: {},
  createFlags: { 'external-api-server-address': '192.0.2.1' },
};
