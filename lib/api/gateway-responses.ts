import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorSpec, gatewayErrors as errors } from '../../lambda/shared/errors.ts';

/** RFC 6750 §3. */
const CHALLENGE = 'Bearer realm="plant-store"';

/**
 * Gives every gateway response an Error body.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export function addGatewayResponses(api: RestApi): void {
  const add = (
    type: ResponseType,
    { code, status, message, retryAfterSeconds }: ErrorSpec,
    challenge?: string,
  ) => {
    const responseHeaders: Record<string, string> = {};
    if (challenge !== undefined) responseHeaders['WWW-Authenticate'] = `'${challenge}'`;
    if (retryAfterSeconds !== undefined) responseHeaders['Retry-After'] = `'${retryAfterSeconds}'`;
    api.addGatewayResponse(type.responseType, {
      type,
      // A status code on a default response would override the status code of every type that is not listed here.
      ...(type.responseType.startsWith('DEFAULT_') ? {} : { statusCode: `${status}` }),
      responseHeaders,
      templates: { 'application/json': JSON.stringify({ error: code, message }) },
    });
  };

  // The defaults cover every response type that is not listed below; such a type keeps its own status code.
  add(ResponseType.DEFAULT_4XX, errors.badRequest);
  add(ResponseType.DEFAULT_5XX, errors.internalError);
  add(ResponseType.UNAUTHORIZED, errors.unauthorized, CHALLENGE);
  add(ResponseType.ACCESS_DENIED, errors.forbidden, `${CHALLENGE}, error="insufficient_scope"`);
  add(ResponseType.WAF_FILTERED, errors.filtered);
  add(ResponseType.REQUEST_TOO_LARGE, errors.requestTooLarge);
  add(ResponseType.THROTTLED, errors.throttled);
  add(ResponseType.QUOTA_EXCEEDED, errors.throttled);

  // If no method matches, API Gateway checks for an AWS signature, so these response types mean an unknown route.
  add(ResponseType.RESOURCE_NOT_FOUND, errors.notFound);
  add(ResponseType.MISSING_AUTHENTICATION_TOKEN, errors.notFound);
  add(ResponseType.INVALID_SIGNATURE, errors.notFound);
  add(ResponseType.EXPIRED_TOKEN, errors.notFound);

  // The function crashed, was throttled, or returned an invalid response.
  add(ResponseType.INTEGRATION_FAILURE, errors.badGateway);
  add(ResponseType.INTEGRATION_TIMEOUT, errors.gatewayTimeout);
}
