import httpJsonBodyParser from '@middy/http-json-body-parser';
import validate from '@middy/validator';
import type { Ajv, ValidateFunction } from 'ajv';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { exactId } from './exact-id.ts';
import { type ObservedContext, observeOperation, type Succeeded } from './log/observe.ts';
import type { RequestLog } from './log/request-log.ts';
import { pipeline } from './pipeline.ts';
import { decodeUtf8, limitSize, limitStructure, requireJsonMediaType } from './request-body.ts';

/** API Gateway's event, its body parsed and validated. */
type JsonEvent<Body> = Omit<APIGatewayProxyEvent, 'body'> & { body: Body };

interface JsonOperation<Body> {
  /** The module that `npm run generate` has made of the operation in openapi.json. */
  readonly validator: { readonly default: ValidateFunction & Ajv };
  readonly run: (event: JsonEvent<Body>, context: ObservedContext) => Promise<APIGatewayProxyResult>;
  readonly log: RequestLog;
  readonly succeeded?: Succeeded;
}

/** An operation with a JSON body: receives an API Gateway proxy event, returns a response or an Error; never throws. */
export const jsonOperation = <Body>({ validator, run, log, succeeded }: JsonOperation<Body>) =>
  observeOperation(
    pipeline<JsonEvent<Body>>()
      .use(requireJsonMediaType())
      .use(limitSize())
      .use(decodeUtf8())
      .use(limitStructure())
      .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
      .use(exactId())
      .use(validate({ eventSchema: validator.default }))
      .handler(run),
    log,
    succeeded,
  );
