import { hash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { noEvidence, send, type AnchorTarget } from '#src/anchors/anchor-target.ts';

export interface BucketSettings {
  /** `https://host/bucket`, or the host of the bucket alone. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For how long the bucket refuses to remove or replace a checkpoint. */
  readonly retentionDays: number;
}

/**
 * A file in a bucket with object lock, which the credentials can only write: until its time is over it cannot be removed,
 * by the owner of the bucket neither. Once more under the same name is another version of the same bytes.
 */
export function bucketTarget(settings: BucketSettings, now: () => number): AnchorTarget {
  const { accessKeyId, secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  return {
    name: 'bucket',
    keep: async ({ environment, shard, size, note }) => {
      const name = `${environment}.${shard}/${String(size).padStart(16, '0')}.txt`;
      const retainUntil = new Date(now() + settings.retentionDays * 86_400_000).toISOString();
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        'x-amz-content-sha256': hash('sha256', note, 'hex'),
        'x-amz-checksum-sha256': hash('sha256', note, 'base64'),
        'x-amz-object-lock-mode': 'COMPLIANCE',
        'x-amz-object-lock-retain-until-date': retainUntil,
      };
      const url = `${settings.url.replace(/\/+$/, '')}/${name}`;
      await send(await client.sign(url, { method: 'PUT', headers, body: note }));
      return noEvidence;
    },
  };
}

/** An address of the auditor, who keeps what arrives. */
export function auditorTarget(url: string): AnchorTarget {
  return {
    name: 'auditor',
    keep: async ({ note }) => {
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      await send(new Request(url, { method: 'POST', headers, body: note }));
      return noEvidence;
    },
  };
}
