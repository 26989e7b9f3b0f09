import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { findProgram } from '../child-process.ts'
import { fullSandbox, type Sandbox } from './sandbox.ts'
import { partlyRefused, refusedCalls, syscallFilter } from './syscall-filter.ts'

const searchPath = process.env.PATH ?? ''
const [bwrap, perl] = [await findProgram('bwrap', searchPath), await findProgram('perl', searchPath)]
const canRun = (sandboxHere.level === 'full' && perl !== undefined) || process.env.SANDBOX_TESTS === 'require'
const column = process.arch === 'x64' ? 0 : 1
const withoutFilter = () =>
  fullSandbox({ path: bwrap ?? '', hidden: [], disableUserNamespaces: true, syscallFilter: undefined }, tmpdir())

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const [CLONE_NEWUSER, SIGCHLD] = [0x10000000, 17]
const [AF_UNIX, AF_INET, AF_NETLINK, SOCK_STREAM, SOCK_RAW] = [1, 2, 16, 1, 3]

/** What each call sets `errno` to, or 0 if it succeeds. */
async function attempt(sandbox: Sandbox, calls: readonly (readonly number[])[]): Promise<number[]> {
  const tries = calls.map(call => `print(syscall(${call.join()}) < 0 ? $!+0 : 0, " ");`)
  const [file = '', ...args] = sandbox.program([perl ?? '', '-e', tries.join('')], { code: [perl ?? ''] })
  const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout: 20_000 })
  return stdout.trim().split(' ').map(Number)
}

test.skipIf(!canRun)('a program in the sandbox is refused the system calls that decoders do not need', async () => {
  const calls = Object.values(refusedCalls).flatMap(call =>
    call[column] === undefined ? [] : [[call[column], 0, 0, 0, 0, 0]],
  )
  expect(new Set(await attempt(sandboxHere, calls))).toEqual(new Set([EPERM]))

  const named = (name: keyof typeof refusedCalls) => [refusedCalls[name]?.[column] ?? -1, 0, 0, 0, 0, 0]
  const open = await attempt(withoutFilter(), [named('ptrace'), named('personality'), named('keyctl')])
  expect(open).not.toContain(EPERM)
})

test.skipIf(!canRun)('new namespaces and sockets of the network are refused, others are not', async () => {
  const { clone, clone3, socket } = partlyRefused
  const calls = [
    [clone[column], CLONE_NEWUSER + SIGCHLD, 0, 0, 0, 0],
    [clone3[column], 0, 0],
    [socket[column], AF_INET, SOCK_STREAM, 0],
    [socket[column], AF_NETLINK, SOCK_RAW, 0],
    [socket[column], AF_UNIX, SOCK_STREAM, 0],
  ]
  expect(await attempt(sandboxHere, calls)).toEqual([EPERM, ENOSYS, EAFNOSUPPORT, EAFNOSUPPORT, 0])
  expect((await attempt(withoutFilter(), calls)).slice(2)).toEqual([0, 0, 0])
})

test('there is a filter for both processors that are supported, and none is guessed for another', () => {
  for (const architecture of ['x64', 'arm64']) expect(syscallFilter(architecture)?.length).toBeGreaterThan(800)
  expect(syscallFilter('riscv64')).toBeUndefined()
})
