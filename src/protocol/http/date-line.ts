/** The `date` header of answers, made once a second. */
export class DateLine {
  #second = Number.NaN;
  #line = '';

  at(nowMs: number): string {
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#line = `date: ${new Date(nowMs).toUTCString()}\r\n`;
    }
    return this.#line;
  }
}
