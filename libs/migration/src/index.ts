/** Moves live objects between the two names of their API groups: none is lost, none is left behind. */
export { eachBounded } from './bounded.js';
export { carryBack } from './carry-back.js';
export type { CarryBackOptions } from './carry-back.js';
export { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION, copyObjects, copyOf, ownerOf } from './copy.js';
export type { CopyContext, CopyOptions, NewOwner } from './copy.js';
export { pendingCollections } from './deletions.js';
export type { PendingCollection } from './deletions.js';
export { MigrationError } from './errors.js';
export type { MigrationErrorCode } from './errors.js';
export { rebaseGenerations } from './generations.js';
export { identityPairs, refreshIdentities, releaseIdentities } from './identities.js';
export {
  hasObjects,
  missingKinds,
  movedKinds,
  nameOfObject,
  takeInventory,
  unreadableKinds,
  unreadableText,
} from './inventory.js';
export type { InventoryOptions, MovedKind, MovedObject } from './inventory.js';
export { findOwned, repointOwned } from './owned.js';
export type { Owned, OwnedObject, OwnedOptions } from './owned.js';
export { findOriginal, hadCopy } from './pairs.js';
export { removeWithoutFinalizing } from './remove.js';
export type { RemoveOptions } from './remove.js';
export { swapObject } from './swap.js';
export { decodeRecord, encodeRecord, isSameParts, partsOf, recordOf } from './record.js';
export type { CopyRecord } from './record.js';
