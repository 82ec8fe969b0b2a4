import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

type Params = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: the inspector protocol's
type Message = any;

/** A breakpoint in a bundle, by a line of its TypeScript source. */
export interface FunctionDebugger {
  /** Resolves at the first pause, with the source and the line in the paused frame. */
  readonly paused: Promise<string>;
  resume(): Promise<void>;
}

/** Attaches to every function of a process, as an editor does, and stops each at the line that contains `code`. */
export async function breakAt(inspectorUrl: string, file: string, code: string): Promise<FunctionDebugger> {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((each) => each.includes(code));
  const socket = new WebSocket(inspectorUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const replies = new Map<number, (result: Message) => void>();
  const paused = Promise.withResolvers<string>();
  const set = Promise.withResolvers<void>();
  const bundles = new Map<string, string>();
  let pausedSession = '';
  let lastId = 0;

  const call = (method: string, params: Params = {}, sessionId?: string): Promise<Message> => {
    lastId += 1;
    const id = lastId;
    const message = { id, method, params };
    const forWorker = { sessionId, message: JSON.stringify(message) };
    socket.send(
      JSON.stringify(
        sessionId === undefined
          ? message
          : { id: -id, method: 'NodeWorker.sendMessageToWorker', params: forWorker },
      ),
    );
    return new Promise((resolve) => replies.set(id, resolve));
  };
  const receive = async ({ id, result, method, params }: Message, sessionId?: string): Promise<void> => {
    replies.get(id)?.(result);
    if (method === 'NodeWorker.attachedToWorker') await call('Debugger.enable', {}, params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker')
      await receive(JSON.parse(params.message), params.sessionId);
    if (method === 'Debugger.scriptParsed' && params.sourceMapURL.endsWith('function.cjs.map')) {
      const bundle = fileURLToPath(params.url);
      const lineNumber = generatedLine(bundle, file, line);
      if (lineNumber === undefined) return;
      bundles.set(`${sessionId} ${params.scriptId}`, bundle);
      await call('Debugger.setBreakpointByUrl', { url: params.url, lineNumber }, sessionId);
      set.resolve();
    }
    if (method === 'Debugger.paused') {
      pausedSession = sessionId ?? '';
      const [{ location }] = params.callFrames;
      const bundle = bundles.get(`${sessionId} ${location.scriptId}`) ?? 'no bundle';
      const { originalSource, originalLine } = entryAt(bundle, location.lineNumber, location.columnNumber);
      paused.resolve(`${originalSource}:${originalLine + 1}`);
    }
  };
  socket.addEventListener('message', ({ data }) => void receive(JSON.parse(data)));
  await call('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await set.promise;
  return {
    paused: paused.promise,
    resume: () => call('Debugger.resume', {}, pausedSession),
  };
}

/** The line of a bundle that a line of a source became; undefined if the bundle has none. */
function generatedLine(bundle: string, file: string, line: number): number | undefined {
  const lines = readFileSync(bundle, 'utf8').split('\n');
  const found = lines.findIndex((text, index) => {
    const { originalSource, originalLine } = entryAt(bundle, index, text.length - text.trimStart().length);
    return originalLine === line && originalSource?.endsWith(file.slice(file.indexOf('lambda/')));
  });
  return found < 0 ? undefined : found;
}

const maps = new Map<string, SourceMap>();

function entryAt(bundle: string, line: number, column: number): Message {
  const map = maps.get(bundle) ?? new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  maps.set(bundle, map);
  return map.findEntry(line, column);
}
