import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import { assert } from '../../../foundation/assert.ts';
import type { BindMarker } from '../token-cursor.ts';

/** What the markers of one statement stand for, learned as its terms are prepared. */
export class Variables {
  readonly #specs: (ColumnSpec | undefined)[] = [];

  /** A marker with a name of its own keeps it; any other is called what its value is for. */
  declare(marker: BindMarker, spec: ColumnSpec): void {
    this.#specs[marker.index] = marker.name === null ? spec : { ...spec, name: marker.name };
  }

  /** In the order of the markers, once every term of the statement has been prepared. */
  specs(): ColumnSpec[] {
    return Array.from(this.#specs, (spec) => {
      assert(spec !== undefined, 'every marker stands for something');
      return spec;
    });
  }
}
