import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { GradualDeployment } from '../functions/gradual-deployment.ts';
import type { StageConfig } from '../stage-config.ts';
import { addAlarm, type Topics } from './add-alarm.ts';
import { alarmSpecs } from './alarm-specs.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { ServiceDashboard } from './dashboard.ts';
import { apiFunctions, type ServiceParts } from './metrics.ts';
import { SavedQueries } from './saved-queries.ts';

const NO_EMAIL =
  'alarmEmail is not set, so no email is sent when an alarm is raised; set alarmEmail for this stage in cdk.json';

interface MonitoringProps {
  readonly parts: ServiceParts;
  readonly config: StageConfig;
}

/** The dashboard, the saved queries and, if `config.hasAlarms` is set, the alarms and gradual deployments. */
export class Monitoring extends Construct {
  readonly dashboardName: string;
  readonly topics: Topics | undefined;

  constructor(scope: Construct, id: string, { parts, config }: MonitoringProps) {
    super(scope, id);
    const { alarms, topics } = config.hasAlarms
      ? this.addAlarmsAndDeployments(parts, config)
      : { alarms: [], topics: undefined };
    this.topics = topics;
    this.dashboardName = new ServiceDashboard(this, 'Dashboard', { parts, alarms }).dashboardName;
    new SavedQueries(this, 'SavedQueries', parts);
  }

  private addAlarmsAndDeployments(parts: ServiceParts, config: StageConfig) {
    const { alarmEmail: email, repositoryUrl } = config;
    if (email === undefined) Annotations.of(this).addWarningV2('plant-store:alarmEmail', NO_EMAIL);
    const topics = {
      // Do not change these ids: new ids would delete the confirmed subscriptions.
      page: new AlarmTopic(this, 'AlarmTopic', { action: 'page', email }),
      ticket: new AlarmTopic(this, 'TicketTopic', { action: 'ticket', email }),
    };
    const scope = new Construct(this, 'Alarms');
    const alarms = alarmSpecs(parts, config).map((spec) => {
      return { ...spec, alarm: addAlarm(scope, spec, topics, repositoryUrl) };
    });
    for (const { id, apiFunction } of apiFunctions(parts)) {
      const rollingBack = alarms.filter(
        ({ action }) => typeof action === 'object' && action.rollBack.includes(id),
      );
      new GradualDeployment(this, id, {
        apiFunction,
        alarms: rollingBack.map(({ alarm }) => alarm),
        config,
      });
    }
    return { alarms: alarms.map(({ alarm }) => alarm), topics };
  }
}
