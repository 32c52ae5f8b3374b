/** Memory in which rows lie, in two views: the second copies fastest where many short pieces are copied. */
export interface RowMemory {
  readonly bytes: Buffer;
  /** From the same byte on. */
  readonly view: DataView;
}

/** Is shown rows where they lie in memory, one after another, within one call. It writes nothing there; the bytes stay as they are. */
export interface RowVisitor {
  /** The row's key begins at `keyAt`, its value at `valueAt`, where the key ends. False when it wants no more rows. */
  visit(memory: RowMemory, keyAt: number, valueAt: number, valueEnd: number): boolean;
}
