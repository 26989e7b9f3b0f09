import type { Config } from '../config.ts'
import { isWithin, realPath } from '../real-path.ts'
import { CommandError } from './command.ts'

/** A copy inside the library would be lost with it, and a library inside its copy would copy itself. */
export async function outsideLibrary(
  wanted: string,
  config: Pick<Config, 'dataFolder'>,
  copy: 'backup' | 'export',
): Promise<string> {
  const [folder, dataFolder] = await Promise.all([realPath(wanted), realPath(config.dataFolder)])
  if (isWithin(folder, dataFolder) || isWithin(dataFolder, folder)) {
    throw new CommandError(
      `Please keep the ${copy} away from the library itself (${dataFolder}), best on another disk.`,
    )
  }
  return folder
}
