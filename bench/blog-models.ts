// The three models of the published exercise: how each keeps users, posts, comments and likes, and how each answers the ten requests.

import type { Container, Database, JSONObject, OperationInput } from '@azure/cosmos';
import type { Blog, Post, Remark, User } from './blog-data.ts';

export const requestNames = ['C1', 'Q1', 'C2', 'Q2', 'Q3', 'C3', 'Q4', 'C4', 'Q5', 'Q6'] as const;
export type RequestName = (typeof requestNames)[number];

/** Answers with what all its calls were charged. */
type Request = () => Promise<number>;
export type Model = Readonly<Record<RequestName, Request>>;

export interface Containers {
  /** By id. */
  readonly users: Container;
  /** By post: posts, comments and likes that refer to one another. */
  readonly posts: Container;
  /** By post, with the author's name and counts in each. */
  readonly richPosts: Container;
  /** By user: users, and their posts once more, cut short. */
  readonly usersWithPosts: Container;
  /** All in one partition: the hundred newest posts. */
  readonly feed: Container;
}

const keyPaths: Readonly<Record<keyof Containers, string>> = {
  users: '/id',
  posts: '/postId',
  richPosts: '/postId',
  usersWithPosts: '/userId',
  feed: '/type',
};

/** So much throughput each, in RU/s, which decides how many physical partitions they have. */
export async function makeContainers(database: Database, throughput: number): Promise<Containers> {
  const make = async (name: keyof Containers): Promise<Container> => {
    const request = { id: name, partitionKey: { paths: [keyPaths[name]] }, throughput };
    return (await database.containers.create(request)).container;
  };
  return {
    users: await make('users'),
    posts: await make('posts'),
    richPosts: await make('richPosts'),
    usersWithPosts: await make('usersWithPosts'),
    feed: await make('feed'),
  };
}

const feedLength = 100;

/** Items that have their partition key in common. */
export interface Together {
  readonly container: keyof Containers;
  readonly key: string;
  readonly items: readonly JSONObject[];
}

/** What all containers hold, user by user, and the feed at the end. */
export function* contentsOf(blog: Blog): Generator<Together> {
  let newest: readonly Post[] = [];
  for (let number = 0; number < blog.userCount; number++) {
    const user = blog.user(number);
    const posts = blog.postsOf(number);
    yield { container: 'users', key: user.id, items: [userItem(user)] };
    const ofUser = [{ ...userItem(user), type: 'user', userId: user.id }, ...posts.map(shortPost)];
    yield { container: 'usersWithPosts', key: user.id, items: ofUser };
    for (const post of posts) {
      yield { container: 'posts', key: post.id, items: withRemarks(post, plainPost(post), plainRemark) };
      yield { container: 'richPosts', key: post.id, items: withRemarks(post, richPost(post), richRemark) };
    }
    newest = [...newest, ...posts]
      .sort((a, b) => (a.creationDate < b.creationDate ? 1 : -1))
      .slice(0, feedLength);
  }
  yield { container: 'feed', key: 'post', items: newest.map(shortPost) };
}

function withRemarks(post: Post, item: JSONObject, itemOf: typeof plainRemark): readonly JSONObject[] {
  return [
    item,
    ...post.comments.map((remark) => itemOf(post, remark, 'comment')),
    ...post.likes.map((remark) => itemOf(post, remark, 'like')),
  ];
}

function userItem({ id, username }: User): JSONObject {
  return { id, username };
}

function plainPost({ id, author, title, content, creationDate }: Post): JSONObject {
  return { id, type: 'post', postId: id, userId: author.id, title, content, creationDate };
}

function richPost(post: Post): JSONObject {
  return {
    ...plainPost(post),
    userUsername: post.author.username,
    commentCount: post.comments.length,
    likeCount: post.likes.length,
  };
}

function shortPost(post: Post): JSONObject {
  return { ...richPost(post), content: post.content.slice(0, 100) };
}

function plainRemark(post: Post, { id, author, content, creationDate }: Remark, type: string): JSONObject {
  return {
    id,
    type,
    postId: post.id,
    userId: author.id,
    ...(content === '' ? {} : { content }),
    creationDate,
  };
}

function richRemark(post: Post, remark: Remark, type: string): JSONObject {
  return { ...plainRemark(post, remark, type), userUsername: remark.author.username };
}

/** Of requests that write, a new thing each time. */
export class BlogModels {
  readonly #containers: Containers;
  readonly #user: User;
  readonly #post: Post;
  #made = 0;

  constructor(containers: Containers, blog: Blog) {
    const [post] = blog.postsOf(0);
    if (post === undefined) throw new Error('a blog without posts cannot be asked for one');
    this.#containers = containers;
    this.#post = post;
    this.#user = post.author;
  }

  /** References: what belongs together is put together by further requests. */
  first(): Model {
    const { users, posts } = this.#containers;
    return {
      ...this.#shared(),
      C2: () => create(posts, plainPost(this.#newPost())),
      Q2: async () => (await read(posts, this.#post.id, this.#post.id)) + (await this.#countsOf(this.#post)),
      Q3: async () => {
        const found = await ask(
          posts,
          "SELECT * FROM p WHERE p.type = 'post' AND p.userId = @id",
          this.#user.id,
        );
        return found.charge + (await this.#countsOfAll(found.items));
      },
      C3: () => create(posts, plainRemark(this.#post, this.#newRemark(120), 'comment')),
      Q4: () => this.#remarksWithNames('comment'),
      C4: () => create(posts, plainRemark(this.#post, this.#newRemark(0), 'like')),
      Q5: () => this.#remarksWithNames('like'),
      Q6: async () => {
        const text = `SELECT TOP ${feedLength} * FROM p WHERE p.type = 'post' ORDER BY p.creationDate DESC`;
        const found = await ask(posts, text);
        return found.charge + (await this.#countsOfAll(found.items));
      },
      Q1: () => read(users, this.#user.id, this.#user.id),
    };
  }

  /** What a reader wants to see of another item is kept in this one. */
  denormalised(): Model {
    const { richPosts } = this.#containers;
    const ofPost = (type: string) => () =>
      charged(ask(richPosts, `SELECT * FROM p WHERE p.postId = @id AND p.type = '${type}'`, this.#post.id));
    const shown = 'p.id, p.title, p.userId, p.userUsername, p.commentCount, p.likeCount, p.creationDate';
    return {
      ...this.#shared(),
      C2: () => create(richPosts, richPost(this.#newPost())),
      Q2: () => read(richPosts, this.#post.id, this.#post.id),
      Q3: () =>
        charged(
          ask(richPosts, `SELECT ${shown} FROM p WHERE p.type = 'post' AND p.userId = @id`, this.#user.id),
        ),
      C3: () => this.#remarkAndCount(this.#newRemark(120), 'comment'),
      Q4: ofPost('comment'),
      C4: () => this.#remarkAndCount(this.#newRemark(0), 'like'),
      Q5: ofPost('like'),
      Q6: () =>
        charged(
          ask(
            richPosts,
            `SELECT TOP ${feedLength} ${shown} FROM p WHERE p.type = 'post' ORDER BY p.creationDate DESC`,
          ),
        ),
    };
  }

  /** The two requests that looked into every partition have containers of their own. */
  repartitioned(): Model {
    const { usersWithPosts, feed } = this.#containers;
    return {
      ...this.denormalised(),
      Q3: () =>
        charged(
          ask(usersWithPosts, "SELECT * FROM u WHERE u.userId = @id AND u.type = 'post'", this.#user.id),
        ),
      Q6: () => charged(ask(feed, "SELECT * FROM f WHERE f.type = 'post' ORDER BY f.creationDate DESC")),
    };
  }

  #shared(): Pick<Model, 'C1' | 'Q1'> {
    const { users } = this.#containers;
    return {
      C1: () => create(users, { id: this.#newId(), username: 'someone.new' }),
      Q1: () => read(users, this.#user.id, this.#user.id),
    };
  }

  #newId(): string {
    return `new-${this.#made++}`;
  }

  #newPost(): Post {
    return { ...this.#post, id: this.#newId() };
  }

  #newRemark(length: number): Remark {
    const { content, creationDate } = this.#post;
    return { id: this.#newId(), author: this.#user, content: content.slice(0, length), creationDate };
  }

  /** The author's name and both counts, as three queries, each within one partition key. */
  async #countsOf({
    id,
    author,
  }: {
    readonly id: string;
    readonly author: { readonly id: string };
  }): Promise<number> {
    const { users, posts } = this.#containers;
    const count = (type: string): string =>
      `SELECT VALUE COUNT(1) FROM p WHERE p.postId = @id AND p.type = '${type}'`;
    const name = await ask(users, 'SELECT u.username FROM u WHERE u.id = @id', author.id);
    const comments = await ask(posts, count('comment'), id);
    const likes = await ask(posts, count('like'), id);
    return name.charge + comments.charge + likes.charge;
  }

  async #countsOfAll(found: readonly JSONObject[]): Promise<number> {
    let charge = 0;
    for (const post of found)
      charge += await this.#countsOf({ id: String(post['id']), author: { id: String(post['userId']) } });
    return charge;
  }

  async #remarksWithNames(type: string): Promise<number> {
    const { users, posts } = this.#containers;
    const text = `SELECT * FROM p WHERE p.postId = @id AND p.type = '${type}'`;
    const found = await ask(posts, text, this.#post.id);
    let { charge } = found;
    for (const { userId } of found.items) charge += await read(users, String(userId), String(userId));
    return charge;
  }

  /** One transaction, as the published stored procedure is: the post is read and counted up, the remark is added. */
  async #remarkAndCount(remark: Remark, type: 'comment' | 'like'): Promise<number> {
    const operations: OperationInput[] = [
      { operationType: 'Read', id: this.#post.id },
      {
        operationType: 'Patch',
        id: this.#post.id,
        resourceBody: { operations: [{ op: 'incr', path: `/${type}Count`, value: 1 }] },
      },
      { operationType: 'Create', resourceBody: richRemark(this.#post, remark, type) },
    ];
    const { code, result, headers } = await this.#containers.richPosts.items.batch(operations, this.#post.id);
    if (code !== 200) throw new Error(`a batch answered ${code}: ${JSON.stringify(result)}`);
    return Number(headers['x-ms-request-charge']);
  }
}

/** As many as a transaction takes. */
const itemsAtOnce = 100;

/** Answers how many items there were. */
export async function load(containers: Containers, { container, key, items }: Together): Promise<number> {
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const operations = items
      .slice(at, at + itemsAtOnce)
      .map((resourceBody): OperationInput => ({ operationType: 'Create', resourceBody }));
    const { code, result } = await containers[container].items.batch(operations, key);
    if (code !== 200) throw new Error(`a batch answered ${code}: ${JSON.stringify(result).slice(0, 300)}`);
  }
  return items.length;
}

async function create(container: Container, item: JSONObject): Promise<number> {
  return (await container.items.create(item)).requestCharge;
}

async function read(container: Container, id: string, key: string): Promise<number> {
  const { requestCharge, statusCode } = await container.item(id, key).read();
  if (statusCode !== 200) throw new Error(`${id} is not there: ${statusCode}`);
  return requestCharge;
}

interface Found {
  readonly charge: number;
  readonly items: readonly JSONObject[];
}

async function ask(container: Container, query: string, id?: string): Promise<Found> {
  const parameters = id === undefined ? [] : [{ name: '@id', value: id }];
  const { resources, requestCharge } = await container.items
    .query<JSONObject>({ query, parameters }, { maxItemCount: 1_000 })
    .fetchAll();
  return { charge: requestCharge, items: resources };
}

async function charged(found: Promise<Found>): Promise<number> {
  return (await found).charge;
}
