import { RotateCw } from 'lucide-react'
import { useId } from 'react'
import type { FailedFile } from '#contract/admin.ts'
import { formatCount, formatDate, formatSize } from '../../kit/format.ts'
import { saidByServer } from '../../kit/messages.ts'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PagedList } from './PagedList.tsx'
import { useFailedFiles, useLibraryHealth, useRetry, useRetryAll } from './queries.ts'
import { texts } from './texts.ts'
import { warningInWords } from './warning-in-words.ts'

export function FailedFiles() {
  const files = useFailedFiles()
  const retryAll = useRetryAll()
  return (
    <>
      <Health />
      {files.lines !== undefined && files.lines.length > 1 && (
        <div className="border-line border-b p-4 sm:px-6">
          <Button
            icon={<RotateCw aria-hidden="true" className="size-5" />}
            busy={retryAll.busy}
            onClick={() => void retryAll.run({})}
          >
            {texts.failedFiles.retryAll.label}
          </Button>
        </div>
      )}
      <PagedList {...files} empty={texts.failedFiles.empty}>
        {file => <FailedRow file={file} />}
      </PagedList>
    </>
  )
}

/** Warnings about the installation, and the number of pending jobs. */
function Health() {
  const { data: health } = useLibraryHealth()
  if (!health) return null
  return (
    <div className="flex flex-col gap-3 border-line border-b p-4 sm:px-6">
      {health.warnings.map(warning => (
        <Notice key={warning}>{warningInWords(warning)}</Notice>
      ))}
      {health.sandbox === 'full' && <p className="text-small text-ink-soft">{texts.failedFiles.sandboxed}</p>}
      {health.waiting_jobs > 0 && (
        <p className="text-small text-ink-soft" title={formatCount(health.waiting_jobs)}>
          {texts.failedFiles.waiting({ count: health.waiting_jobs })}
        </p>
      )}
    </div>
  )
}

function FailedRow({ file }: { file: FailedFile }) {
  const nameId = useId()
  const retry = useRetry()
  const reason = reasonInWords(saidByServer(file.reason, { key: file.reason_key, values: file.reason_values }))
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <p id={nameId} className="wrap-anywhere font-semibold">
          <bdi>{file.original_name}</bdi>{' '}
          <span className="font-normal text-ink-soft">{formatSize(file.file_size)}</span>
        </p>
        <p className="wrap-anywhere text-small">
          <span className="font-semibold text-danger">{texts.failedFiles.problem[file.problem]}</span>{' '}
          <span className="text-ink-soft">
            {texts.failedFiles.since({ day: formatDate(file.since) })}. {reason}
          </span>
        </p>
        <a href={file.download_url} className="text-accent text-small underline underline-offset-4">
          {texts.failedFiles.download}
        </a>
      </div>
      <Button
        icon={<RotateCw aria-hidden="true" className="size-5" />}
        busy={retry.busy}
        aria-describedby={nameId}
        onClick={() => retry.run({ params: { id: file.id } })}
      >
        {texts.retry.label}
      </Button>
    </>
  )
}
