/** Nothing yet. */
export {};
