/** A request above the limit on its length; answered with Invalid (0x2200). */
export class RequestTooBig extends Error {
  constructor(length: number, maximum: number) {
    super(`Request is too big: length ${length} exceeds maximum allowed length ${maximum}.`);
    this.name = 'RequestTooBig';
  }
}
