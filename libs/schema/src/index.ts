/** Structural schemas: validate, default, prune, CEL. */
export {};
