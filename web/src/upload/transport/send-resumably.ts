import { DetailedError, Upload } from 'tus-js-client'
import { uploads } from '#contract/limits.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { ApiError, errorFromResponse } from '../../kit/api.ts'
import { texts } from '../../kit/texts.ts'
import { clearToken, readToken } from '../../kit/token.ts'
import { watchForStall } from './stall.ts'

interface Options {
  host: string
  /** Where an upload of these bytes was begun. */
  address: string | undefined
  /** Told as soon as the server has made a place for the bytes. */
  onAddress: (address: string | undefined) => void
  signal: AbortSignal
  onProgress: (bytesSent: number) => void
}

/** Sends one large part, going on where it stopped, and answers with the id that stands for it in the upload call. */
export async function sendResumably(part: Blob, options: Options): Promise<string> {
  const { address, onAddress } = options
  try {
    return idIn(await attempt(part, options))
  } catch (error) {
    // Begun so long ago that the server has forgotten it.
    if (address === undefined || !(error instanceof ApiError && [404, 410].includes(error.status))) throw error
    onAddress(undefined)
    return idIn(await attempt(part, { ...options, address: undefined }))
  }
}

function attempt(part: Blob, { host, address, onAddress, signal, onProgress }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    const token = readToken()
    const upload = new Upload(part, {
      // With both, the library would begin anew whenever a proxy says that the server is away.
      ...(address === undefined ? { endpoint: `${host}${resumableUploadsPath}` } : { uploadUrl: address }),
      ...manners(token),
      chunkSize: uploads.chunkBytes,
      onUploadUrlAvailable: () => {
        if (!signal.aborted) return onAddress(upload.url ?? undefined)
        void upload.abort()
        void takeBack(upload.url === null ? [] : [upload.url])
      },
      onProgress: bytesSent => {
        stall.moved()
        onProgress(bytesSent)
      },
      onSuccess: () => end(() => resolve(upload.url ?? '')),
      onError: error => {
        const refused = asApiError(error)
        if (refused.status === 401 && token !== null) clearToken(token)
        end(() => reject(refused))
      },
    })
    const stall = watchForStall(() => {
      void upload.abort()
      end(() => reject(new ApiError(0, 'unreachable', texts.unreachable)))
    })
    const stop = () => {
      // A place that the server is just making is waited for, so that it can be taken back: above.
      if (upload.url !== null) void upload.abort()
      end(() => reject(signal.reason))
    }
    function end(settle: () => void) {
      stall.end()
      signal.removeEventListener('abort', stop)
      settle()
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    else upload.start()
  })
}

/** Takes back what was sent of an upload that is no longer wanted. What cannot be reached, the server forgets by itself. */
export async function takeBack(addresses: readonly string[]): Promise<void> {
  await Promise.allSettled(addresses.map(address => Upload.terminate(address, manners(readToken()))))
}

function manners(token: string | null) {
  return {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    onBeforeRequest: (request: { getUnderlyingObject(): XMLHttpRequest }) => {
      request.getUnderlyingObject().withCredentials = true
    },
    // Trying again is for the one who waits for the connection; remembering for the memory of the whole list.
    retryDelays: null,
    storeFingerprintForResuming: false,
  }
}

function asApiError(error: Error): ApiError {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return new ApiError(0, 'unreachable', texts.unreachable, { cause: error })
  const status = response.getStatus()
  // The two sides disagree about how much arrived: asking the server again settles it.
  if (status === 409) return new ApiError(0, 'unreachable', texts.unreachable, { cause: error })
  return errorFromResponse(status, response.getBody())
}

function idIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}
