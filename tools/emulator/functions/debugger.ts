import { Session, url } from 'node:inspector';

/** Whether a debugger may pause the functions; if so, they have no timeouts. */
export function isDebugged(): boolean {
  return url() !== undefined;
}

/** Resumes the threads that a debugger has paused, because `terminate()` does not end a paused thread. */
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
