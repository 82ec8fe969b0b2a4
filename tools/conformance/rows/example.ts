import { MAX_INT64, MIN_INT64 } from '../../../lambda/shared/http/int64.ts';
import { listOperations, storedBodyErrors } from '../../../lib/operations.ts';
import { jsonExample } from '../../contract/example-requests.ts';
import { FIRST_ID, METHOD, PATH, type Row, rejected, TEMPLATE } from '../row.ts';

const { body: value, status } = jsonExample();
/** A whole number as the id is replaced, because another client's item may have it. */
const body = JSON.stringify(value).replace(/(?<=[{,]"id":)-?\d+(?=[,}])/, '<id>');

/** The items that a run may leave behind. */
export const ITEMS = body.includes('<id>')
  ? `ids from ${FIRST_ID} to ${MAX_INT64}, and the id ${MIN_INT64}`
  : `the example of ${METHOD} ${PATH}`;

const { clientErrors = [] } =
  listOperations().find(({ method, path }) => method === METHOD && path === TEMPLATE) ?? {};
/** What only this operation returns, for example in a second run, because the first has stored the item. */
const ownErrors = clientErrors.filter((error) => !storedBodyErrors.includes(error));

export const example: Row = {
  name: 'example in openapi.json',
  body,
  expected: [
    { status, headers: status === 204 ? {} : { 'content-type': 'application/json' } },
    ...ownErrors.map((error) => ({ ...rejected(error.code), status: error.status })),
  ],
};
