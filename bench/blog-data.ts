// The data of the published modelling exercise: users with 5 to 50 posts, up to 25 comments and 100 likes on each. The first user has 27
// posts and the first post 20 comments and 50 likes, which is what the published charges come from (see bench/README.md).

import { integerBetween, type Random, SeededRandom } from '../src/foundation/random.ts';

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

const words =
  'the and of river stone morning letter window garden winter bridge paper light machine harbour story'.split(
    ' ',
  );
const firstDay = Date.UTC(2024, 0, 1);

/** The same for the same number of users. Posts are made when somebody asks for them: all of them would not have room in memory. */
export class Blog {
  readonly userCount: number;

  constructor(userCount: number) {
    this.userCount = userCount;
  }

  user(number: number): User {
    return {
      id: `user-${String(number).padStart(6, '0')}`,
      username: `${words[number % words.length]}.${words[(number * 7) % words.length]}${number}`,
    };
  }

  postsOf(number: number): readonly Post[] {
    const author = this.user(number);
    const random = new SeededRandom(this.userCount * 1_000_003 + number);
    const count = number === 0 ? 27 : integerBetween(random, 5, 50);
    return Array.from({ length: count }, (_, at): Post => {
      const id = `post-${author.id}-${at}`;
      const isFirst = number === 0 && at === 0;
      return {
        id,
        author,
        title: textOf(random, 40),
        content: textOf(random, 400),
        creationDate: anyTime(random),
        comments: this.#remarks(random, `${id}-comment`, isFirst ? 20 : integerBetween(random, 0, 25), 120),
        likes: this.#remarks(random, `${id}-like`, isFirst ? 50 : integerBetween(random, 0, 100), 0),
      };
    });
  }

  #remarks(random: Random, prefix: string, count: number, length: number): readonly Remark[] {
    return Array.from({ length: count }, (_, at) => ({
      id: `${prefix}-${at}`,
      author: this.user(integerBetween(random, 0, this.userCount - 1)),
      content: textOf(random, length),
      creationDate: anyTime(random),
    }));
  }
}

function anyTime(random: Random): string {
  return new Date(firstDay + integerBetween(random, 0, 31_536_000) * 1_000).toISOString();
}

function textOf(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${words[integerBetween(random, 0, words.length - 1)]} `;
  return text.slice(0, length);
}
