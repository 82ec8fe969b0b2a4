import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The id of the command that lets the function pause. */
const PAUSE = 2;

export interface DebuggedFunction {
  /** The file with the function's bundled code. */
  readonly file: string;
  /** Resolves when the function has paused. */
  readonly paused: Promise<void>;
  resume(): void;
}

/** Attaches to every function of a process, as an editor does, and lets one of them pause when it is invoked. */
export async function pauseFunction(
  inspectorUrl: string,
  functionName: string,
): Promise<DebuggedFunction> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  const paused = Promise.withResolvers<void>();
  const pausing = Promise.withResolvers<void>();
  let [file, session] = ['', ''];

  const send = (method: string, params: object) =>
    socket.send(JSON.stringify({ id: 1, method, params }));
  const sendToFunction = (sessionId: string, method: string, id = 1) => {
    const message = JSON.stringify({ id, method });
    send('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'NodeWorker.attachedToWorker')
      sendToFunction(params.sessionId, 'Debugger.enable');
    if (method !== 'NodeWorker.receivedMessageFromWorker') return;
    const message = JSON.parse(params.message);
    const { url = '' } = message.params ?? {};
    if (url.endsWith(`/${functionName}/function.cjs`)) {
      [file, session] = [fileURLToPath(url), params.sessionId];
      sendToFunction(session, 'Debugger.pause', PAUSE);
    }
    if (message.id === PAUSE) pausing.resolve();
    if (message.method === 'Debugger.paused') paused.resolve();
  });
  send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await pausing.promise;
  return {
    file,
    paused: paused.promise,
    resume: () => sendToFunction(session, 'Debugger.resume'),
  };
}
