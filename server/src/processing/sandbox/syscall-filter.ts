/**
 * A seccomp filter for programs that read hostile files, as the BPF program that `bwrap --seccomp` loads. It refuses the
 * system calls with which kernels are attacked and that no decoder needs; all others are allowed, since ffmpeg, Perl and
 * Node use many and differ between versions.
 */
export function syscallFilter(architecture: string): Buffer | undefined {
  const column = architecture === 'x64' ? 0 : architecture === 'arm64' ? 1 : undefined
  if (column === undefined) return undefined
  const numberOf = (name: keyof typeof partlyRefused) => partlyRefused[name][column]
  const refused = Object.values(refusedCalls).flatMap(call => call[column] ?? [])
  return Buffer.concat([
    // A program for another architecture would use other numbers.
    load(ARCHITECTURE),
    unlessEqual(auditArchitectures[column], ret(KILL_PROCESS)),
    load(CALL_NUMBER),
    ...(architecture === 'x64' ? [ifAtLeast(FIRST_X32_CALL, ret(error(EPERM)))] : []),
    ...refused.map(number => ifEqual(number, ret(error(EPERM)))),
    // glibc then uses `clone`, whose flags a filter can read.
    ifEqual(numberOf('clone3'), ret(error(ENOSYS))),
    ifEqual(numberOf('clone'), [load(FIRST_ARGUMENT), ifAnyBit(NEW_NAMESPACES, ret(error(EPERM))), ret(ALLOW)]),
    // Not even sockets of other families, such as of virtual machines, which have no namespaces.
    ifEqual(numberOf('socket'), [load(FIRST_ARGUMENT), unlessEqual(AF_UNIX, ret(error(EAFNOSUPPORT))), ret(ALLOW)]),
    ret(ALLOW),
  ])
}

/** The numbers on x64 and arm64; the second is missing where arm64 does not have the call. */
type Call = readonly [x64: number, arm64?: number]

export const refusedCalls: Record<string, Call> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  // Where most holes of the last years were.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  vmsplice: [278, 75],
  memfd_secret: [447, 447],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Namespaces and file systems.
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  fanotify_init: [300, 262],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // The machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  lookup_dcookie: [212, 18],
  // Compatibility with old programs.
  personality: [135, 92],
  modify_ldt: [154],
  iopl: [172],
  ioperm: [173],
  uselib: [134],
}

export const partlyRefused = { clone: [56, 220], clone3: [435, 435], socket: [41, 198] } as const

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const auditArchitectures = [0xc000003e, 0xc00000b7] as const
/** On x64 a second set of numbers, for programs with short pointers. */
const FIRST_X32_CALL = 0x40000000
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000
const AF_UNIX = 1

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const error = (number: number) => 0x00050000 + number

/** Offsets in `struct seccomp_data`; of an argument its lower half. */
const [CALL_NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16]

/** `struct sock_filter`: a code, how many instructions to skip if the condition is true or false, and a value. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}

const load = (offset: number) => instruction(0x20, offset)
const ret = (action: number) => instruction(0x06, action)
const ifEqual = (value: number, then: Block) => branch(0x15, value, then)
const ifAtLeast = (value: number, then: Block) => branch(0x35, value, then)
const ifAnyBit = (bits: number, then: Block) => branch(0x45, bits, then)

type Block = Buffer | readonly Buffer[]

function branch(code: number, value: number, then: Block): Buffer {
  const block = joined(then)
  return Buffer.concat([instruction(code, value, 0, block.length / 8), block])
}

function unlessEqual(value: number, then: Block): Buffer {
  const block = joined(then)
  return Buffer.concat([instruction(0x15, value, block.length / 8), block])
}

function joined(block: Block): Buffer {
  return Buffer.isBuffer(block) ? block : Buffer.concat(block)
}
