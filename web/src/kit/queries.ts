import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { listFolders } from '#contract/folders.ts'
import { ApiError, call } from './api.ts'
import { logError } from './log.ts'
import { texts } from './texts.ts'
import { onTokenChange } from './token.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    queryMeta: {
      /** True where the answer is the same for everyone, signed in or not. */
      public?: boolean
      /** What the toast says when loading failed. */
      failure?: string
      /** What the console says when loading failed, where the person need not be told. */
      log?: string
    }
  }
}

/** How to ask for an endpoint's answer and keep it; features build their queries from this. */
export function query<E extends Endpoint>(endpoint: E, input: CallInput<E>, failure?: string) {
  return queryOptions({
    queryKey: [...endpointKey(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, signal),
    meta: { public: endpoint.act === 'anyone', ...(failure === undefined ? {} : { failure }) },
  })
}

/** Shared by every feature that shows folders: a query keeps one message, so all of them have to give the same. */
export const foldersQuery = query(listFolders, {}, texts.foldersFailed)

/** The key under which every answer of an endpoint is kept, whatever was asked. */
export function endpointKey(endpoint: Endpoint): readonly [string] {
  return [`${endpoint.method} ${endpoint.path}`]
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (isHandledElsewhere(error)) return
        // What fails together, as a photo's tags and notes do, says so once.
        if (meta?.failure !== undefined) toast.error(meta.failure, { id: meta.failure, description: error.message })
        if (meta?.log !== undefined) logError(meta.log, error)
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && isTransient(error),
        refetchOnWindowFocus: false,
        // A home server answers without the internet too, so we ask and see rather than believe the browser.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
  // The next person on this device must not see what the last one saw.
  onTokenChange(() => client.removeQueries({ predicate: ({ meta }) => meta?.public !== true }))
  return client
}

/** A lost session leads to /login; a page that is not for this person, or shows what is gone, says so itself. */
function isHandledElsewhere(error: Error): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}

/** Asking again helps against a hiccup, not against a refusal. */
function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
