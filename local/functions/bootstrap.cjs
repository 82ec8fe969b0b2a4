// What AWS's runtime interface client does in a function's process: loads the handler, then asks the
// Runtime API for invocations, one at a time. Plain JavaScript: stripping types would slow each cold start.
// @ts-check
'use strict';

const http = require('node:http');
const { existsSync } = require('node:fs');
const { Socket } = require('node:net');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { env } = process;
const [host, port] = (env['AWS_LAMBDA_RUNTIME_API'] ?? '').split(':');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const handlerName = env['_HANDLER'] ?? '';

// The stage holds the other end of this pipe, so it closes even if the stage is killed.
new Socket({ fd: 3 })
  .on('close', () => process.exit())
  .resume()
  .unref();

// Ctrl-C reaches the whole process group, but it is the stage that decides when its functions end.
process.on('SIGINT', () => {});

/**
 * @param {string} method
 * @param {string} resource
 * @param {string} [body]
 * @returns {Promise<{headers: import('node:http').IncomingHttpHeaders, body: string}>}
 */
function call(method, resource, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { host, port, agent, method, path: `/2018-06-01/runtime/${resource}`, headers };
    const request = http.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ headers: response.headers, body: text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

/** @param {string} file */
async function load(file) {
  if (!file.endsWith('.mjs')) {
    try {
      return require(file);
    } catch (error) {
      // An ES module with a top-level await.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    }
  }
  return import(pathToFileURL(file).href);
}

/** Finds `folder/index.handler` as Lambda does. */
async function loadHandler() {
  const [folder, base] = [path.dirname(handlerName), path.basename(handlerName)];
  const [module, ...members] = base.split('.');
  const stem = path.resolve(env['LAMBDA_TASK_ROOT'] ?? '', folder, module ?? '');
  const file = ['.js', '.mjs', '.cjs'].map((extension) => stem + extension).find((name) => existsSync(name));
  if (file === undefined) throw new Error(`Cannot find module '${stem}' of the handler ${handlerName}`);
  const handler = members.reduce((holder, member) => holder?.[member], await load(file));
  if (typeof handler !== 'function') throw new Error(`${handlerName} is undefined or not a function`);
  return handler;
}

/** @param {import('node:http').IncomingHttpHeaders} headers */
function contextOf(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

/** @param {(event: unknown, context: unknown) => unknown} handler */
async function serve(handler) {
  const { headers, body } = await call('GET', 'invocation/next');
  env['_X_AMZN_TRACE_ID'] = String(headers['lambda-runtime-trace-id']);
  const invocation = `invocation/${headers['lambda-runtime-aws-request-id']}`;
  let answer;
  try {
    answer = JSON.stringify(await handler(JSON.parse(body), contextOf(headers))) ?? 'null';
  } catch (error) {
    const failure = describe(error);
    console.error(
      `${headers['lambda-runtime-aws-request-id']}\tERROR\tInvoke Error\t${JSON.stringify(failure)}`,
    );
    await call('POST', `${invocation}/error`, JSON.stringify(failure));
    return;
  }
  await call('POST', `${invocation}/response`, answer);
}

async function main() {
  let handler;
  try {
    handler = await loadHandler();
  } catch (error) {
    console.error(error);
    await call('POST', 'init/error', JSON.stringify(describe(error)));
    process.exit(1);
  }
  for (;;) await serve(handler);
}

// The Runtime API is gone: so is the stage.
main().catch(() => process.exit(1));
