import { ErrorAnswer } from '#contract/common.ts'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { livePositionHeader } from '#contract/live.ts'
import { requestUrl } from '#contract/request-url.ts'
import { recordLivePosition } from './live-position.ts'
import { saidByServer } from './messages.ts'
import { checkReachable, isUnreachable, SLOW_ANSWER, serverResponded, unreachable } from './reachability.ts'
import { forgetDevice, saveAnswer, savedAnswer } from './saved-answers.ts'
import { texts } from './texts.ts'
import { clearToken, readToken } from './token.ts'

/** Why a call failed, with the server's message in the person's language, or with ours if there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0 without any response. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}

/**
 * Calls the server. A 401 clears the stored token, which redirects to /login. While the server cannot be reached, an
 * `offline` endpoint gives the latest answer that this device has.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  { params, query, body }: CallInput<E>,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  return (await callForText(endpoint, { params, query, body } as CallInput<E>, signal)).answer
}

/** The same with the words of the answer, which are undefined for one that this device has kept. */
export async function callForText<E extends Endpoint>(
  endpoint: E,
  { params, query, body }: CallInput<E>,
  signal?: AbortSignal,
): Promise<{ answer: Answer<E>; address: string; text?: string }> {
  const token = readToken()
  const address = requestUrl(endpoint.path, params, query)
  const request: RequestInit = {
    method: endpoint.method,
    headers: headersOf(token, body),
    credentials: 'include',
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }
  const fetched = withNetworkErrors(() => fetchText(address, request), signal)
  const answered = endpoint.offline ? await fetchedOrSaved(endpoint, address, fetched) : await fetched
  if ('saved' in answered) return { answer: answered.saved, address }
  const { response, text } = answered
  if (token !== null) recordLivePosition(token, response.headers.get(livePositionHeader))
  if (response.status === 401 && token !== null) await endSession(token, text)
  if (!response.ok) throw errorFromResponse(response.status, text)
  const answer = parseAnswer(endpoint, response.status, text)
  if (token !== null && endpoint.offline) saveAnswer(token, address, text)
  return { answer, address, text }
}

/**
 * The latest answer that this device has, if there is one and the server cannot be reached: because the request failed,
 * or because it hangs and `/healthz` does too. A single failed request stays an error.
 */
async function fetchedOrSaved<E extends Endpoint, Fetched>(
  endpoint: E,
  address: string,
  fetched: Promise<Fetched>,
): Promise<Fetched | { saved: Answer<E> }> {
  const settled = new AbortController()
  const hangs = unreachable(settled.signal).then(async () => (await readSaved(endpoint, address)) ?? fetched)
  try {
    return await Promise.race([fetched, hangs])
  } catch (error) {
    const isLost = error instanceof ApiError && error.status === 0 && (await isUnreachable())
    const saved = isLost ? await readSaved(endpoint, address) : undefined
    if (saved === undefined) throw error
    return saved
  } finally {
    settled.abort()
  }
}

async function readSaved<E extends Endpoint>(endpoint: E, address: string): Promise<{ saved: Answer<E> } | undefined> {
  const found = await savedAnswer(address)
  try {
    return found && { saved: parseAnswer(endpoint, endpoint.status, found.text) }
  } catch {
    // Saved by another version, which understood it.
    return undefined
  }
}

/** A session that expired locks what this device keeps; one that somebody ended leaves nothing on it. */
async function endSession(token: string, text: string): Promise<void> {
  if (readToken() === token && saysThatItWasEnded(errorFromResponse(401, text))) await forgetDevice()
  clearToken(token)
}

/** Only the library's own words do: a proxy in front may have a sign-in of its own. */
export function saysThatItWasEnded({ code }: ApiError): boolean {
  return code === 'not_signed_in' || code === 'access_denied'
}

/** The same with a token that is not stored (yet); a 401 clears nothing. */
export async function callWithToken<E extends Endpoint>(
  token: string,
  endpoint: E,
  signal: AbortSignal,
): Promise<Answer<E>> {
  const request = { method: endpoint.method, headers: headersOf(token, undefined), signal }
  const { response, text } = await withNetworkErrors(
    () => fetchText(endpoint.path, { ...request, credentials: 'include' }),
    signal,
  )
  if (!response.ok) throw errorFromResponse(response.status, text)
  return parseAnswer(endpoint, response.status, text)
}

async function fetchText(address: string, request: RequestInit): Promise<{ response: Response; text: string }> {
  const response = await fetch(address, request)
  if (response.ok) serverResponded()
  return { response, text: await response.text() }
}

/** Fetches a file with the session's token, where there is no signed URL. */
export async function fetchBlob(path: string, params: unknown): Promise<Blob> {
  const token = readToken()
  const response = await withNetworkErrors(() =>
    fetch(requestUrl(path, params, {}), { headers: headersOf(token, undefined) }),
  )
  if (response.status === 401 && token !== null) clearToken(token)
  if (!response.ok) throw errorFromResponse(response.status, await response.text())
  return withNetworkErrors(() => response.blob())
}

function headersOf(token: string | null, body: unknown): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

/** Turns network failures into an ApiError; a caller's own abort is passed on. A server that hangs is noticed. */
async function withNetworkErrors<T>(step: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T> {
  const slow = setTimeout(() => void checkReachable(), SLOW_ANSWER)
  try {
    return await step()
  } catch (error) {
    if (signal?.aborted) throw error
    void checkReachable()
    throw new ApiError(0, 'unreachable', texts.unreachable, { cause: error })
  } finally {
    clearTimeout(slow)
  }
}

/** The server's error response as an ApiError. */
export function errorFromResponse(status: number, text: string): ApiError {
  // A proxy without its server answers these.
  if (status >= 502 && status <= 504) void checkReachable()
  try {
    const answer = ErrorAnswer.parse(JSON.parse(text))
    return new ApiError(status, answer.code, saidByServer(answer.error, answer))
  } catch (error) {
    // Not our error format: a proxy may have answered.
    return new ApiError(status, 'unexplained', texts.unexplained, { cause: error })
  }
}

/** Parses the response and validates it against the endpoint's schema. */
export function parseAnswer<E extends Endpoint>(endpoint: E, status: number, text: string): Answer<E> {
  try {
    const isEmpty = endpoint.status === 204 && text === ''
    return endpoint.answer.parse(isEmpty ? undefined : JSON.parse(text)) as Answer<E>
  } catch (error) {
    throw new ApiError(status, 'unreadable', texts.unreadable, { cause: error })
  }
}
