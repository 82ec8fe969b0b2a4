import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { alarmSpecs } from './alarm-specs.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import { apiFunctions, type ServiceParts } from './metrics.ts';
import { SavedQueries } from './saved-queries.ts';

interface MonitoringProps {
  readonly parts: ServiceParts;
  readonly config: StageConfig;
}

/** The dashboard, the saved queries and, if `config.alarms` is set, the alarms and gradual deployments. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { parts, config } = props;
    const alarms = config.alarms ? this.addAlarms(parts, config) : [];
    const { dashboardName } = new ServiceDashboard(this, 'Dashboard', { parts, alarms });
    new SavedQueries(this, 'SavedQueries', parts);
    new CfnOutput(scope, 'DashboardName', { value: dashboardName, description: 'The name of the dashboard' });
  }

  private addAlarms(parts: ServiceParts, config: StageConfig) {
    const topic = new AlarmTopic(this, 'AlarmTopic', { email: config.alarmEmail });
    const alarms = new Alarms(this, 'Alarms', { specs: alarmSpecs(parts, config), topic });
    for (const { id, target } of apiFunctions(parts)) {
      new GradualDeployment(this, id, { target, alarms: alarms.rollingBack(id), config });
    }
    return alarms.all;
  }
}
