/** The token is refused: API Gateway answers 401 where an authorizer throws an error with exactly this message. */
export class Unauthorized extends Error {
  override readonly message = 'Unauthorized';
}
