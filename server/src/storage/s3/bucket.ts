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
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Settings } from './client.ts'
import { isMissing, unlessMissing, withStoreError } from './store-errors.ts'
import { StoreUnusable } from './store-unusable.ts'

/** Makes the bucket where it is missing and may be made. */
export async function ensureBucket(client: S3Client, { bucket, endpoint, region }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    if (!isMissing(error)) throw unusableError(bucket, error)
    await client.send(new CreateBucketCommand({ Bucket: bucket, ...locationOf(endpoint, region) })).catch(refused => {
      // Another server that starts at this moment may have made it.
      if (!(refused instanceof S3ServiceException) || refused.name !== 'BucketAlreadyOwnedByYou') {
        throw unusableError(bucket, refused)
      }
    })
  }
}

/** Amazon alone wants to hear where, and only where it is not where it began. */
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
  if (status !== undefined) return new StoreUnusable(`The store will not give the bucket ${bucket}: ${error}.`, error)
  return new StoreUnusable(`The store does not answer at S3_ENDPOINT: ${error}.`, error)
}

/** Pages fetch files straight from the store, which tells browsers that our pages may. False where that is forbidden. */
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

/** None where nobody set any, or where these keys may not look. */
async function corsRules(client: S3Client, bucket: string): Promise<CORSRule[] | undefined> {
  try {
    return (await client.send(new GetBucketCorsCommand({ Bucket: bucket }))).CORSRules
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** The store will not, or cannot: some know no such rules (501). */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status !== undefined && (status < 500 || status === 501)
}

function allows({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule, origin: string): boolean {
  return AllowedMethods.includes('GET') && AllowedOrigins.some(allowed => allowed === '*' || allowed === origin)
}

/** Ends uploads in parts that a killed server began: their parts take up room and belong to nothing. */
export async function abortStaleUploads(client: S3Client, bucket: string, begunBefore: Date): Promise<void> {
  let page: ListMultipartUploadsCommandOutput | undefined
  do {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {}
    page = await withStoreError(
      client.send(new ListMultipartUploadsCommand({ Bucket: bucket, KeyMarker, UploadIdMarker })),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= begunBefore) continue
      await unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })))
    }
  } while (page.IsTruncated)
}
