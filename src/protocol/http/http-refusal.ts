/** A request that HTTP itself has a status for, before it means anything to the store. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, reason: string, headers: Readonly<Record<string, string>> = {}) {
    super(reason);
    this.name = 'HttpRefusal';
    this.status = status;
    this.headers = headers;
  }
}
