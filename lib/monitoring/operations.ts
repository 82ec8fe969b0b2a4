import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import type { ServiceParts } from './metrics.ts';

export interface OperationsProps {
  readonly parts: ServiceParts;
  readonly config: StageConfig;
}

/** What operators have of the service: a dashboard and, as the stage has it, alarms and gradual deployments. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, { parts, config }: OperationsProps) {
    super(scope, id);
    const alarms = config.alarms ? this.watch(parts, config) : [];
    const { dashboardName } = new ServiceDashboard(this, 'Dashboard', { parts, alarms });
    new CfnOutput(scope, 'DashboardName', { value: dashboardName, description: 'In CloudWatch' });
  }

  private watch(parts: ServiceParts, { alarmEmail: email, rollout }: StageConfig) {
    const topic = new AlarmTopic(this, 'AlarmTopic', { email });
    const alarms = new Alarms(this, 'Alarms', { parts, topic });
    if (rollout === 'canary') {
      const { createPlant, authorize } = parts;
      new GradualDeployment(this, 'CreatePlant', { function: createPlant, alarms: alarms.ofCreatePlant });
      new GradualDeployment(this, 'Authorize', { function: authorize, alarms: alarms.ofAuthorize });
    }
    return alarms.all;
  }
}
