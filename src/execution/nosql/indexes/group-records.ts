// The records of the items of a group, one after the other. Most have most terms in common with the one before, and others of the same
// length at the same places: then a record is that one's, with what differs written over.

import { type GroupTerm, lengthOf } from './group-terms.ts';
import { MEMBERS_BYTES } from './item-group.ts';
import { type Membership, type RecordHead, writeHead } from './item-record.ts';
import { LENGTH_BYTES, RECORD_HEAD_BYTES, SHARED_MARK } from './term-list.ts';

export class GroupRecords {
  #last: Buffer = Buffer.alloc(0);
  #terms: readonly GroupTerm[] = [];
  /** Where each term of the last record stands in it. */
  #places: number[] = [];

  /** Its group is undefined where nothing is shared. */
  next(head: RecordHead, terms: readonly GroupTerm[], group: Membership | undefined): Buffer {
    const bytes = this.#isAlike(terms) ? this.#changed(terms) : this.#made(terms);
    writeHead(bytes, head, group);
    this.#last = bytes;
    this.#terms = terms;
    return bytes;
  }

  #isAlike(terms: readonly GroupTerm[]): boolean {
    const before = this.#terms;
    if (before.length !== terms.length || terms.length === 0) return false;
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index] as GroupTerm;
      const other = before[index] as GroupTerm;
      if (term !== other && (term.isShared || other.isShared || lengthOf(term) !== lengthOf(other)))
        return false;
    }
    return true;
  }

  #changed(terms: readonly GroupTerm[]): Buffer {
    const bytes = Buffer.from(this.#last);
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index] as GroupTerm;
      if (term !== this.#terms[index]) copy(term, bytes, this.#places[index] as number);
    }
    return bytes;
  }

  #made(terms: readonly GroupTerm[]): Buffer {
    let size = RECORD_HEAD_BYTES;
    for (const term of terms) size += LENGTH_BYTES + (term.isShared ? MEMBERS_BYTES : 0) + lengthOf(term);
    const bytes = Buffer.allocUnsafe(size);
    this.#places = [];
    let at = RECORD_HEAD_BYTES;
    for (const term of terms) {
      at = bytes.writeUInt16BE(lengthOf(term) | (term.isShared ? SHARED_MARK : 0), at);
      if (term.isShared) at = bytes.writeInt32BE(term.members, at);
      this.#places.push(at);
      copy(term, bytes, at);
      at += lengthOf(term);
    }
    return bytes;
  }
}

function copy({ bytes, start, end }: GroupTerm, into: Buffer, at: number): void {
  for (let from = start; from < end; from++) into[at + from - start] = bytes[from] as number;
}
