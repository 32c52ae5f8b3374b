// What can be done with users, permissions, encryption keys and scripts is the same for all of them; they differ in where they stand, in
// what they have to say, and in how they are shown.

import type { ChildType } from '../../../catalog/nosql/definition-records.ts';
import type { JsonObject, PlainDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import {
  type CheckAmong,
  type ChildDraft,
  createChild,
  deleteChild,
  replaceChild,
  upsertChild,
} from '../../../execution/nosql/definitions/change-children.ts';
import { childrenAt } from '../../../execution/nosql/definitions/child-place.ts';
import { resourceNotFound } from '../../../execution/nosql/definitions/definition-checks.ts';
import { databaseAt } from '../container-at.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';
import { deletedAnswer, expectedEtag, readAnswer, writtenAnswer } from './definition-answers.ts';
import { idIn, objectIn } from './definition-body.ts';
import { type DefinitionFeed, listedFeed, queriedFeed } from './definition-feed.ts';
import { shownChild } from './shown-definitions.ts';

export interface ChildOwner {
  readonly rid: string;
  /** Its `_self`. */
  readonly self: string;
}

export interface ChildKind {
  readonly type: ChildType;
  /** As it stands in paths. */
  readonly word: string;
  readonly feedName: DefinitionFeed['name'];
  /** Throws where it is not there. */
  readonly ownerOf: (request: NosqlRequest, context: NosqlContext) => ChildOwner;
  /** What is kept of what the client says, beside the id; throws where that cannot be. */
  readonly read: (given: JsonObject, context: NosqlContext, request: NosqlRequest) => JsonObject;
  readonly checkAmong?: (draft: ChildDraft, context: NosqlContext) => CheckAmong;
  /** What is shown beside what is kept. */
  readonly addedTo?: (child: PlainDefinition, request: NosqlRequest, context: NosqlContext) => JsonObject;
}

type Handler = NosqlHandler<NosqlContext>;

export type ChildHandlers = Readonly<
  Record<'list' | 'query' | 'create' | 'upsert' | 'read' | 'replace' | 'delete', Handler>
>;

export function childHandlers(kind: ChildKind): ChildHandlers {
  return {
    list: (request, context) => listedFeed(context, request, feedOf(kind, request, context)),
    query: (request, context) => queriedFeed(context, request, feedOf(kind, request, context)),
    create: async (request, context) => {
      const { place, shown } = standing(kind, request, context);
      const draft = draftIn(kind, request, context);
      const child = await createChild(context.parts, place, draft, kind.checkAmong?.(draft, context));
      return writtenAnswer(context, 201, child, shown(child));
    },
    upsert: async (request, context) => {
      const { place, shown } = standing(kind, request, context);
      const draft = draftIn(kind, request, context);
      const checkAmong = kind.checkAmong?.(draft, context);
      const { parts } = context;
      const { child, isNew } = await upsertChild(parts, place, draft, expectedEtag(request), checkAmong);
      return writtenAnswer(context, isNew ? 201 : 200, child, shown(child));
    },
    read: (request, context) => {
      const { shown, found } = standing(kind, request, context);
      const child = found();
      return readAnswer(context, request, child, shown(child));
    },
    replace: async (request, context) => {
      const { place, shown, found } = standing(kind, request, context);
      const draft = draftIn(kind, request, context);
      const checkAmong = kind.checkAmong?.(draft, context);
      const { rid } = found();
      const child = await replaceChild(context.parts, place, rid, draft, expectedEtag(request), checkAmong);
      return writtenAnswer(context, 200, child, shown(child));
    },
    delete: async (request, context) => {
      const { place, shown, found } = standing(kind, request, context);
      const child = found();
      await deleteChild(context.parts, place, child.rid, expectedEtag(request));
      return deletedAnswer(context, shown(child));
    },
  };
}

interface Standing {
  readonly owner: ChildOwner;
  readonly place: Parameters<typeof childrenAt>[1];
  readonly children: ReadonlyMap<string, PlainDefinition>;
  readonly shown: (child: PlainDefinition) => JsonObject;
  /** The one that the path names, by its id or its rid. */
  readonly found: () => PlainDefinition;
}

function standing(kind: ChildKind, request: NosqlRequest, context: NosqlContext): Standing {
  const database = databaseAt(request, context);
  const owner = kind.ownerOf(request, context);
  const place = { type: kind.type, database: database.rid, owner: owner.rid };
  const children = childrenAt(database, place);
  return {
    owner,
    place,
    children,
    shown: (child) => ({
      ...shownChild(child, owner.self, kind.word),
      ...kind.addedTo?.(child, request, context),
    }),
    found: () => {
      const name = request.path.id ?? '';
      const child = children.get(name) ?? [...children.values()].find(({ rid }) => rid === name);
      if (child === undefined) throw resourceNotFound();
      return child;
    },
  };
}

export function childNamed(kind: ChildKind, request: NosqlRequest, context: NosqlContext): PlainDefinition {
  return standing(kind, request, context).found();
}

function draftIn(kind: ChildKind, request: NosqlRequest, context: NosqlContext): ChildDraft {
  const given = objectIn(request);
  const id = idIn(given);
  return { id, shown: { id, ...kind.read(given, context, request) } };
}

function feedOf(kind: ChildKind, request: NosqlRequest, context: NosqlContext): DefinitionFeed {
  const { owner, children, shown } = standing(kind, request, context);
  return {
    name: kind.feedName,
    ownerRid: owner.rid,
    definitions: [...children.values()].map((child) => ({ createdAt: child.createdAt, shown: shown(child) })),
  };
}
