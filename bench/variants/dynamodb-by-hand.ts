/** DynamoDB without its SDK: Signature Version 4 by hand on node:https. The floor: nothing can start faster. */
import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { requiredEnv } from '../../lambda/shared/env.ts';

const MAX_ATTEMPTS = 3;
const TIMEOUT_MS = 1_000;

export interface StoreReply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const agent = new Agent({ keepAlive: true });
const region = requiredEnv('AWS_REGION');
const endpoint = new URL(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${region}.amazonaws.com`);

/** @returns what the store answered, once it isn't a failure of its own, or after the last attempt */
export async function dynamodb(operation: string, input: object): Promise<StoreReply> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reply = await send(operation, JSON.stringify(input));
      if (reply.status < 500 || attempt === MAX_ATTEMPTS) return reply;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt));
  }
}

function send(operation: string, body: string): Promise<StoreReply> {
  return new Promise((resolve, reject) => {
    const headers = signed(operation, body);
    const call = request(endpoint, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      response.on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('the store did not answer in time')));
    call.on('error', reject);
    call.end(body);
  });
}

function signed(operation: string, body: string): Record<string, string> {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const day = now.slice(0, 8);
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host: endpoint.host,
    'x-amz-date': now,
    'x-amz-security-token': requiredEnv('AWS_SESSION_TOKEN'),
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const names = Object.keys(headers).join(';');
  const canonical = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const digest = sha256(`POST\n/\n\n${canonical.join('')}\n${names}\n${sha256(body)}`);
  const key = [day, region, 'dynamodb', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${requiredEnv('AWS_SECRET_ACCESS_KEY')}`,
  );
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${now}\n${scope}\n${digest}`).toString('hex');
  const credential = `${requiredEnv('AWS_ACCESS_KEY_ID')}/${scope}`;
  return {
    ...headers,
    'content-length': `${Buffer.byteLength(body)}`,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
