/** A CRD. */
export const OLD = `# Of the release before.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ships.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ships, singular: ship, kind: Ship, listKind: ShipList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                name:
                  type: string
                  description: "The name
                    of the ship"
                masts:
                  type: array
                  items:
                    type: object
                    properties:
                      height:
                        type: integer
                        maximum: 90
                cargo:
                  type: object
                  additionalProperties:
                    type: string
                    enum: [tea, silk]
`;
/** The same with a stricter bound and a value less. */
export const NEW = OLD.replace('maximum: 90', 'maximum: 70').replace('enum: [tea, silk]', 'enum: [tea]');
/** Lines of {@link NEW} on which what is stricter stands. */
export const HEIGHT_LINE = 30;
export const CARGO_LINE = 35;
