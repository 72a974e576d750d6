import { BlockList, isIPv6 } from 'node:net';
import type { Logger } from '#src/telemetry/logger.ts';

const localRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  localRanges.addSubnet(network, prefix);
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  localRanges.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is reached from this machine or this network alone; a name without a dot is one of the deployment. */
export function isLocalUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIPv6(host)) return localRanges.check(host, 'ipv6');
  if (/^\d+(\.\d+){3}$/.test(host)) return localRanges.check(host);
  return !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host);
}

/** Warns at start where live money is moved under such an address: merchants and payers cannot open what begins with it. */
export function warnOfLocalUrl(logger: Logger, url: string | undefined, isLive: boolean, consequence: string): void {
  if (url === undefined || !isLive || !isLocalUrl(url)) return;
  logger.warn({ publicUrl: url, consequence }, 'PUBLIC_URL is local although providers are live');
}
