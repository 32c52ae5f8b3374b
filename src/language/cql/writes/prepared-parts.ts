import type { Modification } from './modification.ts';
import type { KeyMarkers } from './partition-key-markers.ts';

/** A statement that was checked, and which of its markers are columns of its key. */
export interface PreparedParts {
  readonly modification: Modification;
  readonly keyMarkers: KeyMarkers;
}
