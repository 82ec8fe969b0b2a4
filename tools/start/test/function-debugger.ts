import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A message of the inspector protocol: a reply, which has an id, or an event. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly message?: string;
    readonly scriptId?: string;
    readonly url?: string;
    readonly sourceMapURL?: string;
    readonly callFrames?: readonly { readonly location: Location }[];
  };
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A breakpoint in a bundle, by a line of its TypeScript source. */
export interface FunctionDebugger {
  /** Resolves at the next pause, with the source and the line in the paused frame. */
  nextPause(): Promise<string>;
  resume(): Promise<void>;
}

/** Attaches to every function of a process, as an editor does, and stops each at the line that contains `code`. */
export async function breakAt(inspectorUrl: string, file: string, code: string): Promise<FunctionDebugger> {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((each) => each.includes(code));
  const socket = new WebSocket(inspectorUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const replies = new Map<number, () => void>();
  let paused = Promise.withResolvers<string>();
  const set = Promise.withResolvers<void>();
  const bundles = new Map<string, string>();
  let pausedSession = '';
  let lastId = 0;

  const call = (method: string, params: object = {}, sessionId?: string): Promise<void> => {
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
  const receive = async ({ id = 0, method, params = {} }: Message, sessionId?: string): Promise<void> => {
    const { scriptId, url = '', sourceMapURL = '', callFrames = [] } = params;
    replies.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker') await call('Debugger.enable', {}, params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker')
      await receive(JSON.parse(params.message ?? ''), params.sessionId);
    if (method === 'Debugger.scriptParsed' && sourceMapURL.endsWith('function.cjs.map')) {
      const bundle = fileURLToPath(url);
      const lineNumber = generatedLine(bundle, file, line);
      if (lineNumber === undefined) return;
      bundles.set(`${sessionId} ${scriptId}`, bundle);
      await call('Debugger.setBreakpointByUrl', { url, lineNumber }, sessionId);
      set.resolve();
    }
    if (method === 'Debugger.paused') {
      pausedSession = sessionId ?? '';
      const location = callFrames[0]?.location;
      const bundle = bundles.get(`${sessionId} ${location?.scriptId}`);
      if (location === undefined || bundle === undefined) return paused.resolve('not in a bundle');
      const origin = originAt(bundle, location.lineNumber, location.columnNumber);
      paused.resolve(`${origin?.originalSource}:${(origin?.originalLine ?? 0) + 1}`);
    }
  };
  socket.addEventListener('message', ({ data }) => void receive(JSON.parse(data)));
  await call('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await set.promise;
  return {
    nextPause: () => {
      paused = Promise.withResolvers<string>();
      return paused.promise;
    },
    resume: () => call('Debugger.resume', {}, pausedSession),
  };
}

/** The line of a bundle that a line of a source became; undefined if the bundle has none. */
function generatedLine(bundle: string, file: string, line: number): number | undefined {
  const lines = readFileSync(bundle, 'utf8').split('\n');
  const found = lines.findIndex((text, index) => {
    const origin = originAt(bundle, index, text.length - text.trimStart().length);
    return (
      origin?.originalLine === line && origin.originalSource.endsWith(file.slice(file.indexOf('lambda/')))
    );
  });
  return found < 0 ? undefined : found;
}

const maps = new Map<string, SourceMap>();

function originAt(bundle: string, line: number, column: number): SourceMapping | undefined {
  const map = maps.get(bundle) ?? new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  maps.set(bundle, map);
  const entry = map.findEntry(line, column);
  return 'originalSource' in entry ? entry : undefined;
}
