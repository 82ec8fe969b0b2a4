// What AWS's runtime interface client does in a function's process: loads the handler, then asks the
// Runtime API for invocations, one at a time. Plain JavaScript: stripping types would slow each cold start.
// @ts-check
'use strict';

const { existsSync } = require('node:fs');
const { Socket } = require('node:net');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { RuntimeClient } = require('./runtime-client.cjs');

const { env } = process;
const runtime = new RuntimeClient(env.AWS_LAMBDA_RUNTIME_API ?? '');
const handlerName = env._HANDLER ?? '';

// The stage holds the other end of this pipe, so it closes even if the stage is killed.
new Socket({ fd: 3 })
  .on('close', () => process.exit())
  .resume()
  .unref();

// Signals may reach the whole process group, but it is the stage that decides when its functions end.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

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
  const stem = path.resolve(env.LAMBDA_TASK_ROOT ?? '', folder, module ?? '');
  const file = ['.js', '.mjs', '.cjs'].map((extension) => stem + extension).find((name) => existsSync(name));
  if (file === undefined) throw new Error(`Cannot find module '${stem}' of the handler ${handlerName}`);
  const handler = members.reduce((holder, member) => holder?.[member], await load(file));
  if (typeof handler !== 'function') throw new Error(`${handlerName} is undefined or not a function`);
  return handler;
}

/** @param {Map<string, string>} headers */
function contextOf(headers) {
  const deadline = Number(headers.get('lambda-runtime-deadline-ms'));
  return {
    awsRequestId: headers.get('lambda-runtime-aws-request-id'),
    invokedFunctionArn: headers.get('lambda-runtime-invoked-function-arn'),
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

/**
 * Runs one invocation. @returns the result as JSON, and where it goes
 * @param {(event: unknown, context: unknown) => unknown} handler
 * @param {import('./runtime-client.cjs').Answer} invocation
 */
async function run(handler, { headers, body }) {
  const id = headers.get('lambda-runtime-aws-request-id');
  env._X_AMZN_TRACE_ID = headers.get('lambda-runtime-trace-id');
  try {
    const result = JSON.stringify(await handler(JSON.parse(body), contextOf(headers))) ?? 'null';
    return { resource: `invocation/${id}/response`, result };
  } catch (error) {
    const result = JSON.stringify(describe(error));
    console.error(`${id}\tERROR\tInvoke Error\t${result}`);
    return { resource: `invocation/${id}/error`, result };
  }
}

async function main() {
  let handler;
  try {
    handler = await loadHandler();
  } catch (error) {
    console.error(error);
    await runtime.call('POST', 'init/error', JSON.stringify(describe(error)));
    process.exit(1);
  }
  let next = runtime.call('GET', 'invocation/next');
  for (;;) {
    const { resource, result } = await run(handler, await next);
    const posted = runtime.call('POST', resource, result);
    next = runtime.call('GET', 'invocation/next');
    await posted;
  }
}

// The Runtime API is gone: so is the stage.
main().catch(() => process.exit(1));
