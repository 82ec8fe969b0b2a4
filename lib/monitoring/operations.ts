import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import type { ServiceParts } from './metrics.ts';
import { SavedQueries } from './saved-queries.ts';

interface OperationsProps {
  readonly parts: ServiceParts;
  readonly config: StageConfig;
}

/** The dashboard, the saved queries and, if the stage has them, alarms and gradual deployments. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, { parts, config }: OperationsProps) {
    super(scope, id);
    const alarms = config.alarms ? this.addAlarms(parts, config) : [];
    const { dashboardName } = new ServiceDashboard(this, 'Dashboard', { parts, alarms });
    new SavedQueries(this, 'SavedQueries', parts);
    new CfnOutput(scope, 'DashboardName', { value: dashboardName, description: 'The CloudWatch dashboard' });
  }

  private addAlarms(parts: ServiceParts, config: StageConfig) {
    const { createPlant, authorize } = parts;
    const topic = new AlarmTopic(this, 'AlarmTopic', { email: config.alarmEmail });
    const alarms = new Alarms(this, 'Alarms', {
      parts,
      topic,
      expectedRequestsPerMinute: config.expectedRequestsPerMinute,
    });
    new GradualDeployment(this, 'CreatePlant', {
      target: createPlant,
      alarms: alarms.rollingBack('createPlant'),
      config,
    });
    new GradualDeployment(this, 'Authorize', {
      target: authorize,
      alarms: alarms.rollingBack('authorize'),
      config,
    });
    return alarms.all;
  }
}
