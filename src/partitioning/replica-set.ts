import { assert } from '../foundation/assert.ts';

declare const nodeId: unique symbol;

/** Storage nodes are numbered from 0 in the order of the cluster's members. */
export type NodeId = number & { readonly [nodeId]: true };

/** The storage nodes that keep a physical partition. The first is preferred as primary. */
export interface ReplicaSet {
  readonly members: readonly NodeId[];
  /** Grows with every change of members, so that a late word from a former member is known as such. */
  readonly generation: number;
}

export function replicaSet(members: readonly NodeId[], generation: number): ReplicaSet {
  assert(members.length > 0, 'a replica set has members');
  assert(new Set(members).size === members.length, 'no two replicas are on one storage node');
  return Object.freeze({ members: Object.freeze([...members]), generation });
}

/** A majority: three of four. Any two quorums of three share two members of the four. */
export function quorumOf(memberCount: number): number {
  return Math.floor(memberCount / 2) + 1;
}

export function haveSameMembers(a: ReplicaSet, b: ReplicaSet): boolean {
  return a.members.length === b.members.length && a.members.every((member) => b.members.includes(member));
}
