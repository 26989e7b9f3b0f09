import { whoAmI } from '#contract/auth.ts'
import { uploadParameter, uploadPath } from '#contract/share-target.ts'
import { call } from '../kit/api.ts'
import { logError } from '../kit/log.ts'
import { keepSharedFiles } from '../kit/shared-files.ts'
import { onTokenChange, readToken } from '../kit/token.ts'

interface LaunchParams {
  readonly files: readonly FileSystemFileHandle[]
}

declare global {
  interface Window {
    /** Files that were opened with the installed app, on desktops. */
    launchQueue?: { setConsumer: (consume: (params: LaunchParams) => void) => void }
  }
}

/** Files wait in the queue of the browser until somebody consumes them. */
export function consumeOpenedFiles(consume: (files: File[]) => void): void {
  window.launchQueue?.setConsumer(({ files: handles }) => {
    if (handles.length === 0) return
    void readHandles(handles).then(async files => {
      if (files.length === 0) return
      if (await isSignedIn()) consume(files)
      else await keepUntilSignIn(files)
    })
  })
}

/** While nobody is signed in: a sign-in leaves the page, and opened files would be lost with it. */
export function keepOpenedFiles(): void {
  const follow = () => {
    if (readToken() === null) consumeOpenedFiles(() => undefined)
  }
  onTokenChange(follow)
  follow()
}

/** A page that opens with its saved first screen learns only later that its session has expired. */
async function isSignedIn(): Promise<boolean> {
  if (readToken() === null) return false
  await call(whoAmI, {}).catch(() => undefined)
  return readToken() !== null
}

/** As the share menu leaves them. */
async function keepUntilSignIn(files: readonly File[]): Promise<void> {
  try {
    await keepSharedFiles(files)
    // After the sign-in, this page opens the upload dialog.
    if (!new URLSearchParams(window.location.search).has(uploadParameter)) window.location.replace(uploadPath('shared'))
  } catch (error) {
    logError('Opened files could not be kept until the sign-in', error)
  }
}

async function readHandles(handles: readonly FileSystemFileHandle[]): Promise<File[]> {
  const opened = await Promise.allSettled(
    // With its handle, the upload can go on after the page was closed.
    handles.map(async handle => Object.assign(await handle.getFile(), { handle })),
  )
  return opened.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
}
