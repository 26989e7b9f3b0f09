import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createSigning } from '../signing.ts'
import { openLocalStorage } from './local-storage.ts'

// Puts files until it is killed, and prints the key of each that was acknowledged. Each file ends with the hash of the
// rest, so that the test can verify files whose acknowledgement was lost.
const folder = process.argv[2] ?? ''
const signing = createSigning({ secret: randomBytes(32), clock: () => 0 })
const storage = await openLocalStorage({ folder, signing })

async function* sealed(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
  yield createHash('sha256').update(Buffer.concat(parts)).digest()
}

async function putForever(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const parts = Array.from({ length: randomInt(1, 20) }, () => randomBytes(randomInt(1, 30_000)))
    const key = `originals/2024/${randomInt(1, 13)}/${process.pid}-${writer}-${count}.jpg`
    await storage.put(key, sealed(parts))
    process.stdout.write(`${key}\n`)
  }
}

await Promise.all([1, 2, 3, 4].map(putForever))
