import {
  AbortMultipartUploadCommand,
  type BucketLocationConstraint,
  type CORSRule,
  CreateBucketCommand,
  GetBucketCorsCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutBucketCorsCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'

import { isMissing, unlessMissing, withStoreError } from './store-errors.ts'
import { StoreUnusable } from './store-unusable.ts'

/** Creates the bucket if it does not exist. */
export async function ensureBucket(client: S3Client, { bucket, endpoint, region }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    if (!isMissing(error)) throw unusableError(bucket, error)
    await client.send(new CreateBucketCommand({ Bucket: bucket, ...locationOf(endpoint, region) })).catch(refused => {
      // Another server that is starting may have created it.
      if (!(refused instanceof S3ServiceException) || refused.name !== 'BucketAlreadyOwnedByYou') {
        throw unusableError(bucket, refused)
      }
    })
  }
}

/** Only Amazon S3 needs a location, and not for its default region. */
function locationOf(endpoint: URL | undefined, region: string) {
  if (endpoint || region === 'us-east-1') return {}
  return { CreateBucketConfiguration: { LocationConstraint: region as BucketLocationConstraint } }
}

function unusableError(bucket: string, error: unknown): StoreUnusable {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  if (status === 403) {
    return new StoreUnusable(
      `The store refuses S3_ACCESS_KEY_ID for the bucket ${bucket} (S3_BUCKET). Check the keys and what they may do.`,
      error,
    )
  }
  if (status !== undefined)
    return new StoreUnusable(`The object store refuses access to the bucket ${bucket}: ${error}.`, error)
  return new StoreUnusable(`The store does not answer at S3_ENDPOINT: ${error}.`, error)
}

/** Adds a CORS rule, since pages fetch files directly from the store. False if these keys may not change the rules. */
export async function allowOrigin(client: S3Client, bucket: string, origin: string): Promise<boolean> {
  const rules = await corsRules(client, bucket)
  if (rules?.some(rule => allows(rule, origin))) return true
  const ours: CORSRule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['Content-Length', 'Content-Range', 'ETag'],
    MaxAgeSeconds: 3600,
  }
  try {
    const CORSConfiguration = { CORSRules: [...(rules ?? []), ours] }
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration }))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Undefined if there are none or these keys may not read them. */
async function corsRules(client: S3Client, bucket: string): Promise<CORSRule[] | undefined> {
  try {
    return (await client.send(new GetBucketCorsCommand({ Bucket: bucket }))).CORSRules
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Refused, or not implemented by this store (501). */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status !== undefined && (status < 500 || status === 501)
}

function allows({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule, origin: string): boolean {
  return AllowedMethods.includes('GET') && AllowedOrigins.some(allowed => allowed === '*' || allowed === origin)
}

/** Aborts multipart uploads that a killed server left unfinished: their parts take up space. */
export async function abortStaleUploads(client: S3Client, bucket: string, startedBefore: Date): Promise<void> {
  let page: ListMultipartUploadsCommandOutput | undefined
  do {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {}
    page = await withStoreError(
      client.send(new ListMultipartUploadsCommand({ Bucket: bucket, KeyMarker, UploadIdMarker })),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= startedBefore) continue
      await unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })))
    }
  } while (page.IsTruncated)
}

export interface S3Settings {
  /** Default: Amazon S3. */
  endpoint: URL | undefined
  /** For browsers, if it differs from `endpoint`. */
  publicEndpoint: URL | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket name is in the path of URLs rather than in the host name. */
  forcePathStyle: boolean
}

const CONNECT_TIMEOUT_MS = 3_000
/** Longest silence on a connection. */
const SOCKET_TIMEOUT_MS = 20_000
/** All retries happen within a second or two, since a person is waiting. */
const MAX_ATTEMPTS = 4

export function openClient(settings: S3Settings): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = settings
  return new S3Client({
    ...(endpoint ? { endpoint: endpoint.href } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    // Ceph and others do not know the newer checksums. Integrity is ensured by our own hashes.
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
