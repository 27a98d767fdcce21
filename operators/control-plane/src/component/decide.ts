import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { dependenciesOf } from './dependencies.js';
import { resourcesOf } from './objects.js';
import type { ComponentResource } from './objects.js';

/** A component of one control plane. */
export interface PlannedComponent {
  readonly definition: ComponentDefinition;
  /** Components it waits for. */
  readonly dependencies: readonly string[];
  readonly resources: readonly ComponentResource[];
}

/** The components of a control plane for given inputs; rebuilt only when those change. */
export interface ComponentPlan {
  readonly inputs: ComponentInputs;
  readonly components: readonly PlannedComponent[];
  readonly names: ReadonlySet<string>;
}

/** Plans each of these components for the inputs. */
export function planOf(inputs: ComponentInputs, definitions: readonly ComponentDefinition[]): ComponentPlan {
  const names = new Set(definitions.map(({ name }) => name));
  const components = definitions.map((definition) => ({
    definition,
    dependencies: dependenciesOf(definition, names),
    resources: resourcesOf(definition, inputs),
  }));
  return { inputs, components, names };
}
