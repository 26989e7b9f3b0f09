import { DetailedError, Upload } from 'tus-js-client'
import type { Answer } from '#contract/endpoint.ts'
import { uploads } from '#contract/limits.ts'
import { resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { ApiError, errorFromResponse, parseAnswer } from '../kit/api.ts'
import { texts } from '../kit/texts.ts'
import { clearToken, readToken } from '../kit/token.ts'

export type UploadAnswer = Answer<typeof uploadMedia>

interface FormOptions {
  host: string
  signal: AbortSignal
  onProgress: (bytesSent: number) => void
}

/** Sends the final request. Uses XMLHttpRequest because fetch reports no upload progress. */
export function sendForm(form: FormData, { host, signal, onProgress }: FormOptions): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const token = readToken()
    const request = new XMLHttpRequest()
    const stall = startStallTimer(() => {
      request.abort()
      fail()
    })
    const stop = () => {
      request.abort()
      reject(signal.reason)
    }
    function fail() {
      reject(new ApiError(0, 'unreachable', texts.unreachable))
    }
    request.upload.onprogress = event => {
      stall.moved()
      onProgress(event.loaded)
    }
    request.upload.onload = stall.sent
    request.onerror = fail
    request.onload = () => {
      const { status, responseText } = request
      if (status === 401 && token !== null) clearToken(token)
      try {
        if (status !== uploadMedia.status) throw errorFromResponse(status, responseText)
        resolve(parseAnswer(uploadMedia, status, responseText))
      } catch (error) {
        reject(error)
      }
    }
    request.onloadend = () => {
      stall.end()
      signal.removeEventListener('abort', stop)
    }
    signal.addEventListener('abort', stop)
    request.open(uploadMedia.method, `${host}${uploadMedia.path}`)
    request.withCredentials = true
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.send(form)
    if (signal.aborted) stop()
  })
}

interface ResumableOptions {
  host: string
  path?: string
  /** URL of a partial upload to resume. */
  resumeUrl: string | undefined
  /** Called when the server has created the upload, and with undefined when it no longer exists. */
  onResumeUrl: (url: string | undefined) => void
  signal: AbortSignal
  onProgress: (bytesSent: number) => void
}

/** Uploads one large part by the tus protocol, resuming a partial upload, and returns its id for the final request. */
export async function sendResumable(part: Blob, options: ResumableOptions): Promise<string> {
  const { resumeUrl, onResumeUrl } = options
  try {
    return uploadIdOf(await attempt(part, options))
  } catch (error) {
    // The server has deleted the expired partial upload.
    if (resumeUrl === undefined || !(error instanceof ApiError && [404, 410].includes(error.status))) throw error
    onResumeUrl(undefined)
    return uploadIdOf(await attempt(part, { ...options, resumeUrl: undefined }))
  }
}

function attempt(part: Blob, options: ResumableOptions): Promise<string> {
  const { host, path = resumableUploadsPath, resumeUrl, onResumeUrl, signal, onProgress } = options
  return new Promise((resolve, reject) => {
    const token = readToken()
    const upload = new Upload(part, {
      // Given both, tus-js-client would start over whenever a proxy reports that the server is down.
      ...(resumeUrl === undefined ? { endpoint: `${host}${path}` } : { uploadUrl: resumeUrl }),
      ...requestOptions(token),
      chunkSize: uploads.chunkBytes,
      onUploadUrlAvailable: () => {
        if (!signal.aborted) return onResumeUrl(upload.url ?? undefined)
        void upload.abort()
        void terminateUploads(upload.url === null ? [] : [upload.url])
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
    const stall = startStallTimer(() => {
      void upload.abort()
      end(() => reject(new ApiError(0, 'unreachable', texts.unreachable)))
    })
    const stop = () => {
      // If the server is creating the upload right now, it is aborted and terminated above as soon as its URL is known.
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

/** Deletes partial uploads. If a request fails, the server deletes the upload when it expires. */
export async function terminateUploads(addresses: readonly string[]): Promise<void> {
  await Promise.allSettled(addresses.map(resumeUrl => Upload.terminate(resumeUrl, requestOptions(readToken()))))
}

function requestOptions(token: string | null) {
  return {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    onBeforeRequest: (request: { getUnderlyingObject(): XMLHttpRequest }) => {
      request.getUnderlyingObject().withCredentials = true
    },
    // Retries are up to retryUntilOnline, and PendingUploads stores the URLs.
    retryDelays: null,
    storeFingerprintForResuming: false,
  }
}

function asApiError(error: Error): ApiError {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return new ApiError(0, 'unreachable', texts.unreachable, { cause: error })
  const status = response.getStatus()
  // The client's and the server's offset differ; a retry asks the server for its offset.
  if (status === 409) return new ApiError(0, 'unreachable', texts.unreachable, { cause: error })
  return errorFromResponse(status, response.getBody())
}

function uploadIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** A connection that drops silently (a closed laptop, a tunnel) times out after this long without progress. */
const STALL_TIMEOUT = 45_000
/** How long the server may take to respond once all bytes are sent. */
const RESPONSE_TIMEOUT = 10 * 60_000

export interface StallTimer {
  /** Bytes were sent. */
  moved(): void
  /** All bytes were sent; only the response is missing. */
  sent(): void
  end(): void
}

function startStallTimer(giveUp: () => void): StallTimer {
  let timer = setTimeout(giveUp, STALL_TIMEOUT)
  const again = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, milliseconds)
  }
  return {
    moved: () => again(STALL_TIMEOUT),
    sent: () => again(RESPONSE_TIMEOUT),
    end: () => clearTimeout(timer),
  }
}
