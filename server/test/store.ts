import { inject } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { S3Settings } from '#server/storage/s3/bucket.ts'
import { newBucketName } from './ceph.ts'

/** Environment variables of a new bucket, which is created when it is opened. */
export function newBucket(): Record<string, string> {
  const store = inject('store')
  if (!store) throw new Error('This test needs an S3 store: run it by `npm run test:scale`.')
  return { ...store, S3_BUCKET: newBucketName() }
}

export function newBucketSettings(changes: Record<string, string | undefined> = {}): S3Settings {
  const { s3 } = readConfig({ ...newBucket(), ...changes })
  if (!s3) throw new Error('A bucket is a store')
  return s3
}
