import { Session, url } from 'node:inspector';

/** Returns whether a debugger can pause the functions. If so, neither functions nor integrations time out. */
export function isDebugged(): boolean {
  return url() !== undefined;
}

/**
 * Resumes the functions' threads that a debugger has paused, because `terminate()` cannot end these. Call this before
 * `terminate()`, because Node aborts when a message is sent to a thread that is ending.
 */
export function resumeThreads(): void {
  if (!isDebugged()) return;
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const send = (message: object) =>
      session.post('NodeWorker.sendMessageToWorker', {
        sessionId,
        message: JSON.stringify(message),
      });
    send({ id: 1, method: 'Debugger.enable' });
    // Without terminateOnResume, the function could pause again before its thread ends.
    send({ id: 2, method: 'Debugger.resume', params: { terminateOnResume: true } });
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
