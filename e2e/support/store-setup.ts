import { newBucketName, startCeph } from '../../server/test/ceph.ts'

/** Starts the store for the whole run. Libraries share its bucket: no key is ever used twice. */
export default async function setup(): Promise<() => Promise<void>> {
  const ceph = await startCeph()
  process.env.S3_ENDPOINT = ceph.endpoint
  process.env.S3_BUCKET = newBucketName()
  process.env.S3_ACCESS_KEY_ID = ceph.accessKeyId
  process.env.S3_SECRET_ACCESS_KEY = ceph.secretAccessKey
  return ceph.stop
}
