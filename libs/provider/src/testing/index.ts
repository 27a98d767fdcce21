/** For tests of core, which may name no platform. */
export {};
