/** As much as an answer may have of items: the service's limit of a response. A page ends where it is reached; what is no page is refused. */
export const MAX_ANSWER_BYTES: number = 4 * 2 ** 20;
