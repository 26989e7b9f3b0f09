/** Opens the device's menu for sharing. Resolves to false if the person has closed it. */
export async function sendByDevice({ url, title = null }: { url: string; title?: string | null }): Promise<boolean> {
  return openShareMenu({ url, ...(title === null ? {} : { title }) })
}

/** Whether the device's menu takes pictures themselves. */
export function canSendFiles(): boolean {
  if (!('share' in navigator) || !('canShare' in navigator)) return false
  return navigator.canShare({ files: [new File([], 'photo.jpg', { type: 'image/jpeg' })] })
}

/** Like `sendByDevice`. Throws `NotAllowedError` if the tap was too long ago. */
export async function sendFileByDevice(file: File): Promise<boolean> {
  return openShareMenu({ files: [file] })
}

async function openShareMenu(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false
    throw error
  }
}
