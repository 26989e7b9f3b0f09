import { Agent, request } from 'node:http'

export interface RawRequest {
  method: string
  /** As it is written into the request line: `fetch` would resolve `..` and decode nothing the way it came. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
}

/** Longer than any answer may take; so that a request without an answer fails as itself. */
const GIVES_UP_AFTER_MS = 15_000

/** Sends requests byte for byte. */
export class RawClient {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #isBehindProxy: boolean
  #sent = 0

  constructor(url: URL, { isBehindProxy = true } = {}) {
    this.#url = url
    this.#isBehindProxy = isBehindProxy
  }

  async send(sent: RawRequest): Promise<RawAnswer> {
    return this.#send(sent).catch(error => {
      // The server closes connections after requests it could not read; the next on the same socket meets its end.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return this.#send(sent, new Agent())
      throw error
    })
  }

  #send({ method, path, headers = {}, body }: RawRequest, agent = this.#agent): Promise<RawAnswer> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const call = request(
        {
          agent,
          method,
          path,
          hostname: this.#url.hostname,
          port: this.#url.port,
          headers: {
            ...(this.#isBehindProxy ? { 'x-forwarded-for': this.#nextAddress() } : {}),
            ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        response => {
          let text = ''
          const finish = () => {
            const { statusCode: status = 0 } = response
            resolve({ status, headers: response.headers, text, ms: performance.now() - started })
          }
          response.setEncoding('latin1')
          response.on('data', (chunk: string) => {
            text += chunk
            // A live stream does not end by itself.
            if (!response.headers['content-type']?.startsWith('text/event-stream')) return
            finish()
            call.destroy()
          })
          response.on('end', finish)
          response.on('error', reject)
        },
      )
      call.setTimeout(GIVES_UP_AFTER_MS, () =>
        call.destroy(new Error(`No answer within ${GIVES_UP_AFTER_MS} ms: ${method} ${path.slice(0, 200)}`)),
      )
      call.on('error', reject)
      call.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Every few requests another address, so that the limits per address are not what is tested. */
  #nextAddress(): string {
    const number = Math.floor(this.#sent++ / 50)
    return `10.200.${(number >> 8) & 255}.${number & 255}`
  }
}
