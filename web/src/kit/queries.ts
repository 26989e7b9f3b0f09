import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { listFolders } from '#contract/folders.ts'
import { ApiError, call } from './api.ts'
import { logError } from './log.ts'
import { isReachable } from './reachability.ts'
import { texts } from './texts.ts'
import { onTokenChange } from './token.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    queryMeta: {
      /** Whether the response is the same for everyone, signed in or not. */
      public?: boolean
      /** The toast when loading failed. */
      failure?: string
      /** Logged to the console when loading failed, instead of a toast. */
      log?: string
    }
  }
}

/** Query options for an endpoint; features build their queries from these. */
export function query<E extends Endpoint>(endpoint: E, input: CallInput<E>, failure?: string) {
  return queryOptions({
    queryKey: [...endpointKey(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, signal),
    meta: { public: endpoint.act === 'anyone', ...(failure === undefined ? {} : { failure }) },
  })
}

/** Shared by every feature that shows folders: a query has one error message, so they must all use the same. */
export const foldersQuery = query(listFolders, {}, texts.foldersFailed)

/** The key prefix of all cached responses of an endpoint. */
export function endpointKey(endpoint: Endpoint): readonly [string] {
  return [`${endpoint.method} ${endpoint.path}`]
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        // The banner says so already.
        if (isHandledElsewhere(error) || !isReachable()) return
        // Queries that fail together, such as a photo's tags and notes, show one toast: equal ids replace each other.
        if (meta?.failure !== undefined) toast.error(meta.failure, { id: meta.failure, description: error.message })
        if (meta?.log !== undefined) logError(meta.log, error)
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && isTransient(error),
        refetchOnWindowFocus: false,
        // A home server may be reachable without internet access, so do not trust the browser's online state.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
  // The next person on this device must not see cached data of the previous one.
  onTokenChange(() => client.removeQueries({ predicate: ({ meta }) => meta?.public !== true }))
  return client
}

/** 401 redirects to /login; pages show 403 and 404 themselves. */
function isHandledElsewhere(error: Error): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}

/** Whether a retry can help. */
function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
