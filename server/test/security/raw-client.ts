import { Agent, request } from 'node:http'

export interface RawRequest {
  method: string
  /** Sent verbatim in the request line: `fetch` would resolve `..` and re-encode characters. */
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

/** Longer than any response may take, so that a missing response is reported as such. */
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
      // The server closes the connection after an unparsable request, so the next request on the same socket fails.
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
            // A live stream never ends by itself.
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

  /** Changes the client address every few requests, to avoid rate limits. */
  #nextAddress(): string {
    const number = Math.floor(this.#sent++ / 50)
    return `10.200.${(number >> 8) & 255}.${number & 255}`
  }
}
