import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

/** The page of downloads in parts. */
export const downloadsPath = '/downloads'

/** What was chosen for a download on another page. */
const ChosenDownload = z.object({ fileIds: z.array(z.number()).min(1), title: z.string() })
type ChosenDownload = z.infer<typeof ChosenDownload>

export function useDownloadInParts(): (chosen: ChosenDownload) => void {
  const navigate = useNavigate()
  return chosen => void navigate(downloadsPath, { state: chosen })
}

/** Undefined: everything. */
export function useChosenDownload(): ChosenDownload | undefined {
  return ChosenDownload.safeParse(useLocation().state).data
}
