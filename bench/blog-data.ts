// The data of the published modelling exercise: users with 5 to 50 posts, up to 25 comments and 100 likes on each. The first user has 27
// posts and the first post 20 comments and 50 likes, which is what the published charges come from (see bench/README.md).

import { integerBetween, SeededRandom } from '../src/foundation/random.ts';

export interface User {
  readonly id: string;
  readonly username: string;
}

export interface Post {
  readonly id: string;
  readonly author: User;
  readonly title: string;
  readonly content: string;
  readonly creationDate: string;
  readonly comments: readonly Remark[];
  readonly likes: readonly Remark[];
}

/** A comment, or a like, which has no content. */
export interface Remark {
  readonly id: string;
  readonly author: User;
  readonly content: string;
  readonly creationDate: string;
}

export interface Blog {
  readonly users: readonly User[];
  readonly posts: readonly Post[];
}

const words =
  'the and of river stone morning letter window garden winter bridge paper light machine harbour story'.split(
    ' ',
  );
const firstDay = Date.UTC(2024, 0, 1);

/** The same for the same number of users. */
export function makeBlog(userCount: number): Blog {
  const random = new SeededRandom(userCount);
  const users = Array.from({ length: userCount }, (_, at) => ({
    id: `user-${String(at).padStart(6, '0')}`,
    username: `${words[at % words.length]}.${words[(at * 7) % words.length]}${at}`,
  }));
  const anyone = (): User => users[integerBetween(random, 0, users.length - 1)] as User;
  const anyTime = (): string =>
    new Date(firstDay + integerBetween(random, 0, 31_536_000) * 1_000).toISOString();
  const textOf = (length: number): string => {
    let text = '';
    while (text.length < length) text += `${words[integerBetween(random, 0, words.length - 1)]} `;
    return text.slice(0, length);
  };
  const remarks = (post: string, kind: string, count: number, length: number): readonly Remark[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `${post}-${kind}-${at}`,
      author: anyone(),
      content: textOf(length),
      creationDate: anyTime(),
    }));
  const posts = users.flatMap((author, number) =>
    Array.from({ length: number === 0 ? 27 : integerBetween(random, 5, 50) }, (_, at): Post => {
      const id = `post-${author.id}-${at}`;
      const isFirst = number === 0 && at === 0;
      return {
        id,
        author,
        title: textOf(40),
        content: textOf(400),
        creationDate: anyTime(),
        comments: remarks(id, 'comment', isFirst ? 20 : integerBetween(random, 0, 25), 120),
        likes: remarks(id, 'like', isFirst ? 50 : integerBetween(random, 0, 100), 0),
      };
    }),
  );
  return { users, posts };
}
