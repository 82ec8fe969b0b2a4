import { Session, url } from 'node:inspector';

/** Returns whether a debugger can pause the functions. If so, functions have no timeouts. */
export function isDebugged(): boolean {
  return url() !== undefined;
}

/**
 * Attaches to the functions' threads. Call this before `terminate()`, because Node crashes if a thread ends meanwhile.
 * @returns a function that resumes the threads that a debugger has paused, because `terminate()` cannot end these
 */
export function attachToThreads(): () => void {
  if (!isDebugged()) return () => {};
  const session = new Session();
  const sessionIds: string[] = [];
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params }) => sessionIds.push(params.sessionId));
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return () => {
    for (const sessionId of sessionIds) {
      for (const [id, method] of ['Debugger.enable', 'Debugger.resume'].entries()) {
        const message = JSON.stringify({ id, method });
        session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
      }
    }
  };
}
