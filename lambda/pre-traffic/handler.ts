import type { Context } from 'aws-lambda';
import type { InvokeVersion } from './invoke-version.ts';
import type { Probe } from './probes.ts';

/**
 * The event that CodeDeploy sends to a hook.
 * @see https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 */
export interface LifecycleEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

export type RemainingTime = Pick<Context, 'getRemainingTimeInMillis'>;

type ReportStatus = (event: LifecycleEvent, status: 'Succeeded' | 'Failed') => Promise<void>;

interface PreTrafficHandlerOptions {
  /** Called once for each event. If it throws, the deployment fails. */
  readonly prepare: () => { readonly probes: readonly Probe[]; readonly invoke: InvokeVersion };
  readonly report: ReportStatus;
  readonly log: (line: object) => void;
}

/** The time that is reserved for reporting the result, with retries, before the function times out. */
const REPORT_MS = 10_000;

const MAX_LOGGED_CHARACTERS = 1_000;

/** Probes a new version and always reports a result to CodeDeploy, because CodeDeploy waits for one. */
export const preTrafficHandler =
  ({ prepare, report, log }: PreTrafficHandlerOptions) =>
  async (event: LifecycleEvent, context: RemainingTime): Promise<void> => {
    const { DeploymentId: deploymentId } = event;
    try {
      const { probes, invoke } = prepare();
      const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - REPORT_MS);
      for (const probe of probes) await assertExpected(probe, invoke, signal);
    } catch (error) {
      log({ level: 'ERROR', deploymentId, status: 'Failed', message: String(error) });
      return report(event, 'Failed');
    }
    log({ level: 'INFO', deploymentId, status: 'Succeeded' });
    return report(event, 'Succeeded');
  };

/** @throws Error if the version does not respond to the probe as expected */
async function assertExpected(
  probe: Probe,
  invoke: InvokeVersion,
  signal: AbortSignal,
): Promise<void> {
  const { name, event, expected, isExpected } = probe;
  const result = await invoke(event, signal);
  if (isExpected(result)) return;
  const actual = `${result.failed ? 'failed with' : 'returned'} ${result.payload.slice(0, MAX_LOGGED_CHARACTERS)}`;
  throw new Error(`expected ${expected} for ${name}, but the new version ${actual}`);
}
