import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of the server that can pretend that the server was updated. */
export interface UpdateProxy {
  url: string
  /** From now on there is another service worker, and files of the program with this beginning have other names. */
  update(renamed: string): void
  close(): void
}

export async function openUpdateProxy(to: string): Promise<UpdateProxy> {
  let renamed: string | undefined
  let updates = 0
  const server = createServer((asked, answer) => {
    if (renamed === undefined) return forward(to, asked, answer)
    if (asked.url?.startsWith(renamed)) return answer.writeHead(404).end()
    if (asked.url === '/sw.js') return void serveNewWorker(to, { renamed, updates }, answer)
    forward(to, asked, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    update(path) {
      renamed = path
      updates++
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function forward(to: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked
  const passed = request(new URL(asked.url ?? '/', to), { method, headers }, response => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
}

interface Update {
  renamed: string
  updates: number
}

async function serveNewWorker(to: string, { renamed, updates }: Update, answer: ServerResponse): Promise<void> {
  const response = await fetch(new URL('/sw.js', to))
  const script = (await response.text())
    .replace(/[0-9a-f]{12}(?=`)/, `of-update-${updates}`)
    .replace(new RegExp(`${renamed}[^,"\`]*,?`), '')
  const policy = response.headers.get('content-security-policy')
  answer.writeHead(200, { 'content-type': 'text/javascript', ...(policy && { 'content-security-policy': policy }) })
  answer.end(script)
}
