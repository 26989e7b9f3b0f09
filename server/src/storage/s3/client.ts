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

const CONNECT_TIMEOUT_MS = 3_000
/** A store that says nothing for this long is away. */
const SOCKET_TIMEOUT_MS = 20_000
/** Tries follow each other within a second or two: a person who waits would rather hear that it is not now. */
const MAX_ATTEMPTS = 4

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
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: 200 },
      httpsAgent: { keepAlive: true, maxSockets: 200 },
    },
  })
}
