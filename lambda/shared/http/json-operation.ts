import httpJsonBodyParser from '@middy/http-json-body-parser';
import validator from '@middy/validator';
import type { Ajv, ValidateFunction } from 'ajv';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type OperationContext, observeOperation } from '../log/observe.ts';
import type { RequestLog } from '../log/request-log.ts';
import { pipeline } from './pipeline.ts';
import {
  decodeBody,
  limitSize,
  limitStructure,
  requireJsonMediaType,
  restoreBodyInt64s,
} from './request-body.ts';
import type { Int64s } from './restore-int64s.ts';

/** API Gateway's event with its body parsed and validated. */
type JsonEvent<Body> = Omit<APIGatewayProxyEvent, 'body'> & { body: Body };

interface JsonOperation<Body> {
  /** Generated from openapi.json, like `int64s`. Middy declares it as `Ajv`, but calls it as a compiled function. */
  readonly validate: ValidateFunction & Ajv;
  readonly int64s: Int64s;
  readonly run: (
    event: JsonEvent<Body>,
    context: OperationContext,
  ) => Promise<APIGatewayProxyResult>;
  readonly log: RequestLog;
}

/**
 * The handler for an operation with a JSON body. It never throws: a failed request gets an Error body.
 *
 * @example
 * export const handler = jsonOperation<NewOrder>({
 *   validate,
 *   int64s,
 *   run: async ({ body }, { observation }) =>
 *     jsonResponse(200, await createOrder(body, observePut(put, observation))),
 *   log: requestLog('create-order', requiredEnv<FunctionEnv>('STAGE')),
 * });
 */
export const jsonOperation = <Body>({ validate, int64s, run, log }: JsonOperation<Body>) =>
  observeOperation(
    pipeline<JsonEvent<Body>>()
      .use(requireJsonMediaType())
      .use(limitSize())
      .use(decodeBody())
      .use(limitStructure())
      // Also rejects keys such as `__proto__`.
      .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
      .use(validator({ eventSchema: validate }))
      // Parses the text again: the body parser's reviver does not get `context`, which has the digits of each number.
      .use(restoreBodyInt64s(int64s))
      .handler(run),
    log,
  );
