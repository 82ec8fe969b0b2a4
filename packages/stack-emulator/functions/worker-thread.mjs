// Runs in each worker thread of a function: loads the handler, then runs invocations, one at a time. This is plain
// JavaScript, because stripping types would slow each cold start.
// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

/** In characters: endless logging must not fill the emulator's memory. */
const MAX_OUTPUT = 1_048_576;
const LIMIT_REACHED = '\nThe function has logged 1 MB: any further output is left out\n';
const MAX_RESULT_BYTES = 6_291_556;

const { env } = process;
/** @type {import('node:worker_threads').MessagePort} */
const port = workerData.port;
let remainingOutput = MAX_OUTPUT;

// Node reads NODE_EXTRA_CA_CERTS only when a process starts, not when a thread starts.
if (env.NODE_EXTRA_CA_CERTS !== undefined) {
  const certificates = readFileSync(env.NODE_EXTRA_CA_CERTS, 'utf8');
  tls.setDefaultCACertificates([...tls.getCACertificates(), certificates]);
}

// If the code has a source map, stack traces show positions in the source files.
process.setSourceMapsEnabled(true);

// Output is posted to the same port as results, so that it is logged before the result is returned, and even if an
// endless loop follows.
for (const stream of [process.stdout, process.stderr]) {
  Object.assign(stream, {
    /** @type {(chunk: string | Buffer, encoding: unknown, callback: () => void) => void} */
    _write: (chunk, _encoding, callback) => {
      if (remainingOutput > 0) {
        const text = String(chunk);
        remainingOutput -= text.length;
        port.postMessage({
          kind: 'output',
          text: remainingOutput > 0 ? text : text + LIMIT_REACHED,
        });
      }
      callback();
    },
    _writev: undefined,
  });
}

/**
 * Logs an error even if the output limit has been reached.
 * @param {unknown} error
 */
function logError(error) {
  remainingOutput = MAX_OUTPUT;
  console.error(error);
}

/** @param {unknown} error */
function describe(error) {
  if (!Error.isError(error))
    return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return {
    errorType: error.name,
    errorMessage: error.message,
    trace: (error.stack ?? '').split('\n'),
  };
}

/** Loads a handler, such as `folder/index.handler`, as Lambda does. */
async function loadHandler() {
  const name = env._HANDLER ?? '';
  const [module = '', ...members] = path.basename(name).split('.');
  const stem = path.resolve(env.LAMBDA_TASK_ROOT ?? '', path.dirname(name), module);
  const file = ['.js', '.mjs', '.cjs']
    .map((extension) => stem + extension)
    .find((each) => existsSync(each));
  if (file === undefined) throw new Error(`Cannot find module '${stem}' for the handler ${name}`);
  const namespace = await import(pathToFileURL(file).href);
  const exported = namespace['module.exports'] ?? namespace;
  const handler = members.reduce((holder, member) => holder?.[member], exported);
  if (typeof handler !== 'function') throw new Error(`${name} is undefined or not a function`);
  return handler;
}

/**
 * Returns Lambda's context object.
 * @param {{ requestId: string, arn: string, deadline: number }} invocation
 */
function contextOf({ requestId, arn, deadline }) {
  return {
    awsRequestId: requestId,
    invokedFunctionArn: arn,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

try {
  const handler = await loadHandler();
  port.on('message', async (invocation) => {
    env._X_AMZN_TRACE_ID = invocation.traceId;
    remainingOutput = MAX_OUTPUT;
    try {
      const result = await handler(JSON.parse(invocation.event), contextOf(invocation));
      const json = JSON.stringify(result) ?? 'null';
      if (Buffer.byteLength(json) > MAX_RESULT_BYTES)
        throw Object.assign(new Error('the result is larger than 6 MB'), {
          name: 'Function.ResponseSizeTooLarge',
        });
      port.postMessage({ kind: 'result', json });
    } catch (error) {
      const described = describe(error);
      logError(`${invocation.requestId}\tERROR\tInvoke Error\t${JSON.stringify(described)}`);
      port.postMessage({ kind: 'error', ...described });
    }
  });
  port.postMessage({ kind: 'result', json: 'null' });
} catch (error) {
  logError(error);
  port.postMessage({ kind: 'error', ...describe(error) });
  process.exit(1);
}
