import { useEffect, useEffectEvent, useState } from 'react'
import { type MediaFile, requestCompatible } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { texts } from '../texts.ts'

/** In place of a video that this device can't play: asks for a version that it can, and shows how far that has come. */
export function CompatibleVersion({ file, onWaiting }: { file: MediaFile; onWaiting: () => void }) {
  const { run, busy } = useAction(requestCompatible, {
    failure: texts.film.versionFailed,
    changes: [{ kind: 'media', ids: [file.id] }],
  })
  const [refused, setRefused] = useState(false)
  const { compatible } = file
  const failure = compatible?.failure_reason ?? null

  const ask = async () => setRefused(!(await run({ params: { id: file.id } })))
  const begin = useEffectEvent(() => {
    onWaiting()
    if (compatible === null) void ask()
  })
  useEffect(() => begin(), [])

  const poster = file.variant_urls?.website ?? file.thumbnail_url
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      {poster !== null && <img src={poster} alt="" className="picture opacity-40" />}
      <div className="viewer-card relative flex max-w-md flex-col items-center gap-3 p-6 text-center">
        {failure === null && !refused ? (
          <Preparing percent={compatible?.progress ?? null} />
        ) : (
          <>
            <p className="font-semibold">{texts.film.versionFailed}</p>
            {failure !== null && <p>{failure}</p>}
            <button type="button" disabled={busy} onClick={() => void ask()} className="viewer-chip">
              {texts.retry}
            </button>
          </>
        )}
      </div>
    </div>
  )
}

function Preparing({ percent }: { percent: number | null }) {
  return (
    <>
      <p role="status" className="font-semibold">
        {texts.film.preparingVersion(percent)}
      </p>
      <progress
        aria-label={texts.progress}
        max={100}
        {...(percent === null ? {} : { value: percent })}
        className="h-2 w-56 max-w-full"
      />
      <p className="text-small opacity-90">{texts.film.whyVersion}</p>
    </>
  )
}
