import { type FileHandle, open } from 'node:fs/promises'

/** The first bytes of a file; fewer where the file is shorter. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  await using file = await open(path)
  return await readHeadOfHandle(file, bytes)
}

/** The same for a file that is open already. */
export async function readHeadOfHandle(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}
