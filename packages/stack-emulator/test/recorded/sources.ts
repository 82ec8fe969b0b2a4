/** https://docs.aws.amazon.com/apigateway/latest/developerguide/ */
export const guide = (page: string) => `AWS developer guide: ${page}`;
export const notes = guide('important notes');
/** Snapshots of AWS's responses in the folder tests/aws/services/apigateway of localstack/localstack. */
const localstack = (snapshot: string) => `LocalStack ${snapshot}`;
export const notFound = localstack('test_routing_not_found');
export const proxyEvent = localstack('test_lambda_aws_proxy_integration');
export const resultFormat = localstack('test_aws_proxy_response_payload_format_validation');
export const remapping = localstack('test_apigateway_header_remapping_aws');
/** Measured in AWS: see the comment from 2026-09-13. */
export const floci = 'floci-io/floci#3399';
export const azul = (issue: number) => `DataBiosphere/azul#${issue}`;
export const denial = 'localstack/localstack#10636';
export const lgtm = 'koki-develop/lgtm-generator#10';
export const eventSize = `${lgtm}; the response type is unknown`;
export const longHeaders = 'ntsblog.homedev.com.au, 2021-03-09; the status is unknown';
export const braces = 'aws/aws-sam-cli#7170; the text is unknown';
export const signatures = 'serverless/serverless#3205; the response type is unknown';
export const authorizerLog = 'an execution log from 2023-06-08';
export const authorizers = guide('Lambda authorizers');
