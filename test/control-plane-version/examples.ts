const image = (version: string): string => `quay.io/openshift-release-dev/ocp-release:${version}-x86_64`;
const release = (version: string): object => ({ version, image: image(version) });

/** The statuses that the specification gives as examples, with what it leaves out filled in. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  'steady state: all components of the management side at 4.20.1': {
    desired: release('4.20.1'),
    observedGeneration: 3,
    history: [
      {
        state: 'Completed',
        ...release('4.20.1'),
        startedTime: '2026-02-20T10:00:00Z',
        completionTime: '2026-02-20T10:15:00Z',
      },
      {
        state: 'Completed',
        ...release('4.20.0'),
        startedTime: '2026-02-10T08:00:00Z',
        completionTime: '2026-02-20T10:00:00Z',
      },
    ],
  },
  'during an upgrade: the management side at 4.20.1, nodes still at 4.20.0': {
    desired: release('4.20.1'),
    observedGeneration: 3,
    history: [
      {
        state: 'Completed',
        ...release('4.20.1'),
        startedTime: '2026-02-20T10:00:00Z',
        completionTime: '2026-02-20T10:15:00Z',
        verified: true,
      },
    ],
  },
  'a failed upgrade with another after it: 4.19.6, 4.19.19 that failed, now 4.20.1': {
    desired: release('4.20.1'),
    observedGeneration: 5,
    history: [
      { state: 'Partial', ...release('4.20.1'), startedTime: '2026-02-25T14:00:00Z', completionTime: null },
      {
        state: 'Partial',
        ...release('4.19.19'),
        startedTime: '2026-02-24T10:00:00Z',
        completionTime: '2026-02-25T14:00:00Z',
      },
      {
        state: 'Completed',
        ...release('4.19.6'),
        startedTime: '2026-02-01T08:00:00Z',
        completionTime: '2026-02-24T10:00:00Z',
      },
    ],
  },
};
