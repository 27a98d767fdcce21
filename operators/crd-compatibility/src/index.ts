/** Refuses changes of custom resource definitions that would break those who stated what they need. */
export {};
