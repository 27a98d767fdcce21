import { describe, expect, it } from 'vitest';
import { withClusterName } from './defaults.js';

const LABEL = 'cluster.x-k8s.io/cluster-name';

describe('what admission would have added', () => {
  it('is the name of the cluster, in the selector and in the template', () => {
    const spec = {
      clusterName: 'one',
      selector: { matchLabels: { pool: 'a' } },
      template: { spec: { clusterName: 'one' } },
    };
    const named = withClusterName(spec);
    expect(named.selector.matchLabels).toEqual({ pool: 'a', [LABEL]: 'one' });
    expect(named.template.metadata?.labels).toEqual({ [LABEL]: 'one' });
  });

  it('changes nothing where it is there', () => {
    const labels = { [LABEL]: 'one' };
    const spec = {
      clusterName: 'one',
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: { a: 'b' } }, spec: { clusterName: 'one' } },
    };
    expect(withClusterName(spec)).toEqual(spec);
  });
});
