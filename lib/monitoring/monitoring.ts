import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ServiceParts } from '../service-parts.ts';
import type { StageConfig } from '../stage-config.ts';
import { addAlarm } from './add-alarm.ts';
import { type AlarmSpec, alarmSpecs } from './alarm-specs.ts';
import { addTopics, type Topics } from './alarm-topics.ts';
import { ServiceDashboard } from './dashboard.ts';
import { SavedQueries } from './saved-queries.ts';

interface MonitoringProps {
  readonly parts: ServiceParts;
  readonly config: StageConfig;
}

/** The dashboard, the saved queries and, if `config.hasAlarms` is set, the alarms. */
export class Monitoring extends Construct {
  readonly dashboardName: string;
  readonly topics: Topics | undefined;
  private readonly alarms: readonly (AlarmSpec & { readonly alarm: IAlarm })[] = [];

  constructor(scope: Construct, id: string, { parts, config }: MonitoringProps) {
    super(scope, id);
    if (config.hasAlarms) {
      const topics = addTopics(this, config.alarmEmail);
      const alarmScope = new Construct(this, 'Alarms');
      this.alarms = alarmSpecs(parts, config).map((spec) => {
        return { ...spec, alarm: addAlarm(alarmScope, spec, topics, config.repositoryUrl) };
      });
      this.topics = topics;
    }
    const alarms = this.alarms.map(({ alarm }) => alarm);
    this.dashboardName = new ServiceDashboard(this, 'Dashboard', { parts, alarms }).dashboardName;
    new SavedQueries(this, 'SavedQueries', parts);
  }

  /** The alarms that roll back deployments of the function with this `id`. */
  rollbackAlarms(id: string): readonly IAlarm[] {
    return this.alarms
      .filter(({ action }) => typeof action === 'object' && action.rollBack.includes(id))
      .map(({ alarm }) => alarm);
  }
}
