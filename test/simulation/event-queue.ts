export interface QueuedEvent {
  readonly atMs: number;
  /** Events of one moment run in the order in which they were asked for. */
  readonly sequence: number;
  /** Undefined once cancelled: the place in the heap is given back when it comes up. */
  task: (() => void) | undefined;
}

/** A binary heap by (time, sequence). */
export class EventQueue {
  readonly #heap: QueuedEvent[] = [];
  #nextSequence = 0;

  /** The function returned cancels the event. */
  add(atMs: number, task: () => void): () => void {
    const event: QueuedEvent = { atMs, sequence: this.#nextSequence++, task };
    this.#heap.push(event);
    this.#siftUp(this.#heap.length - 1, event);
    return () => {
      event.task = undefined;
    };
  }

  /** The time of the next event that was not cancelled. */
  nextAtMs(): number | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.task !== undefined) return first?.atMs;
      this.#removeFirst();
    }
  }

  pop(): { readonly atMs: number; readonly task: () => void } | undefined {
    for (;;) {
      const first = this.#removeFirst();
      if (first === undefined) return undefined;
      const { atMs, task } = first;
      // A cancellation after this moment comes too late, as it would for a timer that has fired.
      first.task = undefined;
      if (task !== undefined) return { atMs, task };
    }
  }

  #removeFirst(): QueuedEvent | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first !== undefined && last !== undefined && first !== last) this.#siftDown(last);
    return first;
  }

  #siftUp(from: number, event: QueuedEvent): void {
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.#heap[parentAt] as QueuedEvent;
      if (isBefore(parent, event)) break;
      this.#heap[at] = parent;
      at = parentAt;
    }
    this.#heap[at] = event;
  }

  #siftDown(event: QueuedEvent): void {
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = this.#heap[childAt];
      if (child === undefined) break;
      const right = this.#heap[childAt + 1];
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        childAt++;
      }
      if (isBefore(event, child)) break;
      this.#heap[at] = child;
      at = childAt;
    }
    this.#heap[at] = event;
  }
}

function isBefore(one: QueuedEvent, other: QueuedEvent): boolean {
  return one.atMs !== other.atMs ? one.atMs < other.atMs : one.sequence < other.sequence;
}
