import { useNavigate } from 'react-router'

/** The page of downloads in parts. */
export const downloadsPath = '/downloads'

/** What was chosen for a download on another page. */
export interface ChosenDownload {
  fileIds: number[]
  title: string
}

export function useDownloadInParts(): (chosen: ChosenDownload) => void {
  const navigate = useNavigate()
  return chosen => void navigate(downloadsPath, { state: chosen })
}
