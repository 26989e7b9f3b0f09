import type { Answer } from '#contract/endpoint.ts'
import { uploadMedia } from '#contract/upload.ts'
import { ApiError, errorFromResponse, parseAnswer } from '../../kit/api.ts'
import { texts } from '../../kit/texts.ts'
import { clearToken, readToken } from '../../kit/token.ts'
import { watchForStall } from './stall.ts'

export type UploadAnswer = Answer<typeof uploadMedia>

interface Options {
  host: string
  signal: AbortSignal
  onProgress: (bytesSent: number) => void
}

/** The upload call. By XMLHttpRequest, since fetch does not tell how much of a body has gone out. */
export function sendForm(form: FormData, { host, signal, onProgress }: Options): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const token = readToken()
    const request = new XMLHttpRequest()
    const stall = watchForStall(() => {
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
