import { Session, url } from 'node:inspector';

/** Returns whether a debugger can pause the functions. If so, functions have no timeouts. */
export function isDebugged(): boolean {
  return url() !== undefined;
}

/** Resumes the threads that a debugger has paused, because `terminate()` cannot end a paused thread. */
export function resumeThreads(): void {
  if (!isDebugged()) return;
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    for (const [id, method] of ['Debugger.enable', 'Debugger.resume'].entries()) {
      const message = JSON.stringify({ id, method });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
