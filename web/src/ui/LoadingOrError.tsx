import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Spinner } from './Spinner.tsx'

interface Props {
  /** Of a query that has no data yet. */
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  texts: { loading: string; failed: { title: string; retry: string } }
}

/** A page without its data: it is loading, or it says what failed and offers to try again. */
export function LoadingOrError({ query: { error, isFetching, refetch }, texts }: Props) {
  if (error === null || isFetching) {
    return (
      <div className="grid min-h-[40svh] place-items-center">
        <Spinner label={texts.loading} />
      </div>
    )
  }
  return <LoadFailed error={error} retry={() => void refetch()} texts={texts.failed} />
}

interface FailedProps {
  error: Error
  retry: () => void
  texts: Props['texts']['failed']
}

export function LoadFailed({ error, retry, texts }: FailedProps) {
  return (
    <EmptyState title={texts.title} text={error.message}>
      <Button variant="primary" onClick={retry}>
        {texts.retry}
      </Button>
    </EmptyState>
  )
}
