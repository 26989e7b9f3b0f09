import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, PackageOpen, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { toast } from 'sonner'
import { z } from 'zod'
import { type Export, linkExport, listExports, removeExport, requestExport } from '#contract/exports.ts'
import { showFailure, useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { formatDate, formatSize } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { type ChosenDownload, downloadsPath } from '../media/chosen-download.ts'
import { Button } from '../ui/Button.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { texts } from './texts.ts'

const GIGABYTE = 1_000_000_000
const sizes = [2, 10, 50] as const
const icon = 'size-5 shrink-0'
const POLL_MS = 2_000

/** Prepares a download of everything, or of what was chosen elsewhere, and lists those of this person. */
export function DownloadsPage() {
  usePageTitle(texts.page)
  const own = useQuery({
    ...query(listExports, {}, texts.loadFailed),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'preparing') ? POLL_MS : false),
  })
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      <div>
        <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
        <RequestForm waiting={own.data?.some(({ status }) => status === 'preparing') ?? false} />
      </div>
      {own.data === undefined ? (
        <LoadingOrError query={own} texts={texts} />
      ) : (
        own.data.length > 0 && (
          <section aria-labelledby="own-downloads" className="flex flex-col gap-4">
            <h2 id="own-downloads" className="border-line border-b pb-2 font-semibold text-lead">
              {texts.own}
            </h2>
            <ul className="flex flex-col gap-6">
              {own.data.map(one => (
                <OwnExport key={one.id} {...one} />
              ))}
            </ul>
          </section>
        )
      )}
    </div>
  )
}

function useRefetch(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: endpointKey(listExports) })
}

function RequestForm({ waiting }: { waiting: boolean }) {
  const chosen = useChosenDownload()
  const [size, setSize] = useState<number>(10)
  const request = useAction(requestExport, {
    success: texts.prepared,
    failure: texts.prepareFailed,
    changes: [],
    whenDone: useRefetch(),
  })
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere font-semibold" dir="auto">
        {chosen === undefined ? texts.all : texts.chosen({ count: chosen.fileIds.length, title: chosen.title })}
      </p>
      {chosen !== undefined && (
        <Link
          to={downloadsPath}
          className="inline-flex min-h-touch items-center self-start font-semibold text-accent underline underline-offset-4"
        >
          {texts.allInstead}
        </Link>
      )}
      <SelectField
        label={texts.sizeLabel}
        value={String(size)}
        choices={sizes.map(value => ({ value: String(value), label: texts.size({ gigabytes: value }) }))}
        onChange={value => setSize(Number(value))}
      />
      <p className="text-ink-soft text-small">{texts.sizeHint}</p>
      <div className="flex">
        <Button
          variant="primary"
          icon={<PackageOpen aria-hidden="true" className={icon} />}
          busy={request.busy}
          disabled={waiting}
          onClick={() => void request.run({ body: { ...chosen, part_bytes: size * GIGABYTE } })}
        >
          {texts.prepare}
        </Button>
      </div>
    </div>
  )
}

function OwnExport({ id, title, files, status, progress, missing, parts, expires_at }: Export) {
  const remove = useAction(removeExport, {
    success: texts.removed,
    failure: texts.removeFailed,
    changes: [],
    whenDone: useRefetch(),
  })

  async function download(part: number) {
    try {
      const { url } = await call(linkExport, { params: { id } })
      const link = document.createElement('a')
      link.href = `${url}&part=${part}`
      link.download = ''
      link.click()
      toast.success(texts.started)
    } catch (error) {
      showFailure(texts.downloadFailed, error)
    }
  }
  return (
    <li className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="wrap-anywhere font-semibold" dir="auto">
            {files === null ? title : texts.chosen({ count: files, title })}
          </h3>
          <p className="text-ink-soft text-small" role="status">
            {status === 'preparing' && texts.preparing({ percent: progress })}
            {status === 'failed' && texts.notPrepared}
            {status === 'outdated' && texts.outdated}
            {status === 'ready' && texts.until({ date: formatDate(expires_at) })}
          </p>
          {missing > 0 && <p className="text-small">{texts.missing({ count: missing })}</p>}
        </div>
        <Button
          icon={<X aria-hidden="true" className={icon} />}
          busy={remove.busy}
          aria-label={`${texts.remove}: ${title}`}
          onClick={() => void remove.run({ params: { id } })}
        >
          {texts.remove}
        </Button>
      </div>
      {status === 'preparing' && (
        <progress value={progress} max={100} className="w-full accent-accent" aria-hidden="true" />
      )}
      {status === 'ready' && (
        <ul className="flex flex-col items-start gap-2">
          {parts.map(({ name, size }, i) => (
            <li key={name}>
              <Button
                variant="soft"
                icon={<Download aria-hidden="true" className={icon} />}
                onClick={() => void download(i + 1)}
              >
                {texts.download({ part: i + 1, parts: parts.length, size: formatSize(size) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The state of a page comes from the history of the browser, which may be older than this version. */
const Chosen = z.object({ fileIds: z.array(z.number()).min(1), title: z.string() })

/** Undefined: everything. */
function useChosenDownload(): ChosenDownload | undefined {
  return Chosen.safeParse(useLocation().state).data
}
