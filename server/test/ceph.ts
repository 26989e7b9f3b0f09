import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findCeph } from '../../scripts/lib/system.mjs'
import { freePort } from './free-port.ts'

export interface Ceph {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  stop(): Promise<void>
}

const accessKeyId = 'heirloom-tests'
const secretAccessKey = 'heirloom-tests-secret'

/**
 * A minimal cluster: a monitor, a memory store and the S3 gateway. Runs until our end of the pipe closes and then
 * cleans up, so that even a killed test run leaves nothing behind.
 */
const runUntilPipeCloses = `
  folder=$1 monitor=$2 gateway=$3 key=$4 secret=$5
  exec 3<&0 2>"$folder/errors"
  trap 'kill -9 $(cat "$folder"/*.pid) 2>/dev/null; rm -rf "$folder"' EXIT
  cd "$folder" && mkdir mon osd || exit
  cluster=$(cat /proc/sys/kernel/random/uuid) disk=$(cat /proc/sys/kernel/random/uuid)
  cat >ceph.conf <<END
[global]
fsid = $cluster
mon_host = [v2:127.0.0.1:$monitor/0]
public_addr = 127.0.0.1
mon_data = $folder/mon
osd_data = $folder/osd
keyring = $folder/keyring
run_dir = $folder
admin_socket =
log_file =
mon_cluster_log_file =
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
paxos_propose_interval = 0.02
END
  export CEPH_CONF="$folder/ceph.conf"
  run() { name=$1; shift; "$@" >/dev/null & echo $! >"$folder/$name.pid"; }

  ceph-authtool -C keyring -g -n mon. --cap mon 'allow *' >/dev/null &&
  ceph-authtool keyring -g -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' &&
  monmaptool --create --addv a "[v2:127.0.0.1:$monitor]" --fsid "$cluster" monmap >/dev/null &&
  ceph-mon --mkfs -i a --monmap monmap --keyring keyring || { cat errors; exit 1; }
  run mon ceph-mon -i a -f

  disksecret=$(ceph-authtool --gen-print-key)
  echo "{\\"cephx_secret\\": \\"$disksecret\\"}" | ceph osd new "$disk" -i - >/dev/null || { cat errors; exit 1; }
  printf '[osd.0]\\nkey = %s\\n' "$disksecret" >osd/keyring
  ceph-osd -i 0 --mkfs --osd-uuid "$disk" --keyring osd/keyring >/dev/null || { cat errors; exit 1; }
  run osd ceph-osd -i 0 -f --keyring osd/keyring

  radosgw-admin user create --uid heirloom --display-name Heirloom --access-key "$key" --secret-key "$secret" \\
    >/dev/null || { cat errors; exit 1; }
  run gateway radosgw -f -n client.admin --rgw-frontends "beast endpoint=127.0.0.1:$gateway"
  echo ready
  cat <&3 >/dev/null
`

/**
 * A real S3 store from Debian's packages, which verifies every signature, on free loopback ports and in its own
 * folder. Its data is kept in memory.
 */
export async function startCeph(): Promise<Ceph> {
  if (!findCeph()) throw new Error('The tests need Ceph (on Debian: apt-get install ceph-mon ceph-osd radosgw).')
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-ceph-'))
  const [monitor, gateway] = [await freePort(), await freePort()]
  const args = ['-c', runUntilPipeCloses, 'sh', folder, String(monitor), String(gateway), accessKeyId, secretAccessKey]
  // In its own process group: Ctrl-C ends the tests, which still need their store for the cleanup.
  const keeper = spawn('sh', args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const ended = once(keeper, 'exit')
  const stop = async (): Promise<void> => {
    keeper.stdin.end()
    await ended
  }
  const lines: string[] = []
  for await (const line of createInterface(keeper.stdout)) {
    lines.push(line)
    if (line === 'ready') break
  }
  const endpoint = `http://127.0.0.1:${gateway}`
  if (lines.at(-1) !== 'ready' || !(await answers(endpoint))) {
    await stop()
    throw new Error(`Ceph did not start:\n${lines.join('\n')}`)
  }
  return { endpoint, accessKeyId, secretAccessKey, stop }
}

/** A new, unique bucket name. */
export function newBucketName(): string {
  return `test-${randomUUID()}`
}

const PATIENCE_MS = 120_000

async function answers(endpoint: string): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (answered) return true
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return false
}
