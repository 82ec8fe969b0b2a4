import { Session, url } from 'node:inspector';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns a timeout of Lambda or API Gateway, or a day if a debugger can pause the functions. It is never Infinity,
 * because a function may use the remaining time as the delay of a timer.
 */
export function debuggableTimeout(timeoutMs: number): number {
  return url() === undefined ? timeoutMs : DAY_MS;
}

/**
 * Resumes the functions' threads that a debugger has paused, because `terminate()` cannot end these. Call this before
 * `terminate()`, because Node aborts when a message is sent to a thread that is ending.
 */
export function resumeThreads(): void {
  if (url() === undefined) return;
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
