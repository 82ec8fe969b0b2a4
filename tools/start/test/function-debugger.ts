import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A message of the inspector protocol: a reply, which has an id, or an event. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly message?: string;
    readonly url?: string;
    readonly sourceMapURL?: string;
    readonly callFrames?: readonly { readonly location: { lineNumber: number; columnNumber: number } }[];
  };
}

/** A breakpoint in the functions of a process. */
export interface FunctionDebugger {
  /** Resolves at the next pause with its source file and line, such as `../lambda/create-plant/create-plant.ts:18`. */
  nextPause(): Promise<string>;
  resume(): Promise<void>;
}

/**
 * Attaches to every function of a process, as an editor does, and pauses each function at the line that contains
 * `code`.
 */
export async function breakAt(inspectorUrl: string, code: string): Promise<FunctionDebugger> {
  const socket = new WebSocket(inspectorUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const replies = new Map<number, () => void>();
  const set = Promise.withResolvers<void>();
  let paused = Promise.withResolvers<string>();
  let bundle = '';
  let pausedSession = '';
  let lastId = 0;

  const send = (method: string, params: object, sessionId = ''): Promise<void> => {
    const id = ++lastId;
    const message = JSON.stringify({ id, method, params });
    const forWorker = { method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } };
    socket.send(sessionId === '' ? message : JSON.stringify({ id: -id, ...forWorker }));
    return new Promise((resolve) => replies.set(id, resolve));
  };
  const receive = async ({ id = 0, method, params = {} }: Message, sessionId = ''): Promise<void> => {
    const { url = '', sourceMapURL = '', callFrames: [frame] = [] } = params;
    replies.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker') await send('Debugger.enable', {}, params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker')
      await receive(JSON.parse(params.message ?? ''), params.sessionId);
    if (method === 'Debugger.scriptParsed' && sourceMapURL.endsWith('function.cjs.map')) {
      const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
      const lineNumber = lines.findIndex((line) => line.includes(code));
      if (lineNumber < 0) return;
      bundle = fileURLToPath(url);
      await send('Debugger.setBreakpointByUrl', { url, lineNumber }, sessionId);
      set.resolve();
    }
    if (method === 'Debugger.paused' && frame !== undefined) {
      const { lineNumber, columnNumber } = frame.location;
      const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
      const entry = map.findEntry(lineNumber, columnNumber);
      pausedSession = sessionId;
      paused.resolve('originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : '');
    }
  };
  socket.addEventListener('message', ({ data }) => void receive(JSON.parse(data)));
  await send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await set.promise;
  return {
    nextPause: () => {
      paused = Promise.withResolvers();
      return paused.promise;
    },
    resume: () => send('Debugger.resume', {}, pausedSession),
  };
}
