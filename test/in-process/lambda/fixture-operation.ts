import { jsonOperation } from '../../../lambda/shared/http/json-operation.ts';
import { jsonResponse } from '../../../lambda/shared/http/response.ts';
import { observePut } from '../../../lambda/shared/log/observe.ts';
import type { RequestLog } from '../../../lambda/shared/log/request-log.ts';
import { generatedModule } from '../../support/generated-validator.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

/**
 * An operation of the tests' own, which puts a note. Tests of the code that all operations share use it, so that they do
 * not depend on the service's operations.
 */
export interface Note {
  readonly id: bigint;
  readonly text: string;
}

export type PutNote = (note: Note) => Promise<unknown>;

const { validator, int64s } = generatedModule(`{"Body":{
  "type": "object",
  "required": ["id", "text"],
  "properties": {"id": {"type": "integer", "format": "int64"}, "text": {"type": "string"}}
}}`);

const silent: RequestLog = { summary: () => {}, fault: () => {} };

export const noteHandler = (put: PutNote, log = silent) =>
  jsonOperation<Note>({
    validate: validator,
    int64s,
    run: async ({ body }, { observation }) => {
      await observePut(put, observation)(body);
      return jsonResponse(200, body);
    },
    log,
  });

/** Returns the event that API Gateway sends for a valid note, with the given changes. A handler changes its event. */
export function noteEvent(changes: object = {}) {
  const event = {
    headers: { 'Content-Type': 'application/json' },
    body: '{"id":1,"text":"Buy soil"}',
    isBase64Encoded: false,
    requestContext: { requestId: 'api' },
  };
  return JSON.parse(JSON.stringify({ ...event, ...changes }));
}

export interface NoteRequest {
  /** A Buffer is encoded in base64, as API Gateway encodes binary bodies. */
  readonly body?: string | Buffer | null;
  readonly isBase64Encoded?: boolean;
  readonly headers?: Record<string, string | undefined> | null;
  readonly put?: PutNote;
}

/** Sends a request to the operation. @returns the response with its body parsed, and the notes that were put */
export async function sendNote({ put, ...changes }: NoteRequest = {}) {
  const notes: Note[] = [];
  const store: PutNote = async (note) => notes.push(note);
  const { body } = changes;
  const encoded = Buffer.isBuffer(body)
    ? { body: body.toString('base64'), isBase64Encoded: true }
    : {};
  const handle = noteHandler(put ?? store);
  const response = await handle(noteEvent({ ...changes, ...encoded }), lambdaContext());
  return { ...response, body: JSON.parse(response.body), notes };
}
