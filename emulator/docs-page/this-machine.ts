import type { GatewayRequest } from '../rest-api/request.ts';

/**
 * Whether a request was sent on this machine and meant for it. A web page elsewhere may have its own name
 * resolve to the loopback address (DNS rebinding): the Host header then still tells that name.
 */
export function isFromThisMachine({
  sourceIp,
  header,
}: Pick<GatewayRequest, 'sourceIp' | 'header'>): boolean {
  const host = header('host')?.replace(/:\d+$/, '') ?? '';
  return isLoopback(sourceIp) && (host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1')));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}
