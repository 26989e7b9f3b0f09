import { S3Client } from '@aws-sdk/client-s3'

export interface S3Settings {
  /** Absent: Amazon's own. */
  endpoint: URL | undefined
  /** Where browsers reach the store, when it is not where servers do. */
  publicEndpoint: URL | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket stands in the path of an address, not in its host. */
  forcePathStyle: boolean
}

const CONNECT_WITHIN_MS = 3_000
/** A store that says nothing for this long is away. */
const SILENT_FOR_MS = 20_000
/** Tries follow each other within a second or two: a person who waits would rather hear that it is not now. */
const MOST_TRIES = 4

export function openClient(settings: S3Settings): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = settings
  return new S3Client({
    ...(endpoint ? { endpoint: endpoint.href } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    // The newer checksums are unknown to Ceph and many others. Bytes are vouched for by our own hash of them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MOST_TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_FOR_MS,
      httpAgent: { keepAlive: true, maxSockets: 200 },
      httpsAgent: { keepAlive: true, maxSockets: 200 },
    },
  })
}
