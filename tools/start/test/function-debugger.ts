import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A breakpoint in the functions of a process. */
export interface Breakpoint {
  /** Resolves at the next pause with its source file and line, such as `../lambda/shared/http/response.ts:18`. */
  nextPause(): Promise<string>;
  resume(): void;
  /** Detaches from the functions, which removes the breakpoint. */
  detach(): Promise<unknown>;
}

/**
 * Attaches to every function of a process, as an editor does, and sets a breakpoint in one of them, at the line that
 * contains `code`.
 */
export async function breakAt(
  inspectorUrl: string,
  functionName: string,
  code: string,
): Promise<Breakpoint> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  const set = Promise.withResolvers<void>();
  let paused = Promise.withResolvers<string>();
  let [bundle, session] = ['', ''];

  const send = (method: string, params: object) =>
    socket.send(JSON.stringify({ id: 1, method, params }));
  const sendToFunction = (sessionId: string, method: string, params = {}) => {
    const message = JSON.stringify({ id: 1, method, params });
    send('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  const sourceOf = ({ lineNumber = 0, columnNumber = 0 }) => {
    const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    const entry = map.findEntry(lineNumber, columnNumber);
    return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : '';
  };
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'NodeWorker.attachedToWorker')
      sendToFunction(params.sessionId, 'Debugger.enable');
    if (method !== 'NodeWorker.receivedMessageFromWorker') return;
    const event = JSON.parse(params.message);
    const { url = '' } = event.params ?? {};
    if (event.method === 'Debugger.scriptParsed' && url.endsWith(`/${functionName}/function.cjs`)) {
      const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
      const lineNumber = lines.findIndex((line) => line.includes(code));
      [bundle, session] = [fileURLToPath(url), params.sessionId];
      sendToFunction(session, 'Debugger.setBreakpointByUrl', { url, lineNumber });
    }
    if (event.result?.breakpointId !== undefined) set.resolve();
    if (event.method === 'Debugger.paused')
      paused.resolve(sourceOf(event.params.callFrames[0].location));
  });
  send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await set.promise;
  return {
    nextPause: () => {
      paused = Promise.withResolvers();
      return paused.promise;
    },
    resume: () => sendToFunction(session, 'Debugger.resume'),
    detach: () => {
      socket.close();
      return once(socket, 'close');
    },
  };
}
