import { dirname } from 'node:path'

/** A folder with its own rule, and the other folders that its files may import. */
export interface Area {
  folder: string
  mayUse: readonly string[]
  rule: string
}

export const contract = 'contract/src'
/** The API for other programs, and the commands that use it. */
export const client = 'client/src'
/** Message catalogues and what reads them; every part may use them. */
export const messages = 'messages'
/** Generates the demo data of `npm run seed`. It depends on the server; the server never imports it. */
export const seed = 'server/seed'
export const serverKit = 'server/src/kit'
export const database = 'server/src/db'
const processing = 'server/src/processing'
const serverBase = ['storage', 'db', 'jobs', 'live'].map(name => `server/src/${name}`)
export const serverFeatures = [
  'auth',
  'people',
  'media',
  'folders',
  'albums',
  'places',
  'family',
  'tags',
  'hearts',
  'comments',
  'links',
  'guest-uploads',
  'imports',
  'chat',
  'notifications',
  'audit',
  'changes',
  'metrics',
  'mail',
  'push',
  'source-folders',
  'webdav',
  'export',
].map(name => `server/src/${name}`)
const importCommand = 'server/src/cli/import'
/** The type of what each server feature exports in its `feature.ts`; `features.ts` alone imports those. */
const featureType = 'server/src/feature.ts'
const webUi = 'web/src/ui'
const webKit = 'web/src/kit'
/** Shared by several web features: mentions in notes and chat, live updates, hearts, what waits to be sent, the map, and how a media file is shown. */
const webBase = ['mentions', 'live', 'media', 'hearts', 'outbox', 'map'].map(name => `web/src/${name}`)
const webFeatures = [
  'auth',
  'gallery',
  'folders',
  'albums',
  'places',
  'viewer',
  'upload',
  'notes',
  'tags',
  'dates',
  'chat',
  'notifications',
  'admin',
  'trash',
  'changes',
  'settings',
  'person',
  'memories',
  'links',
  'guest-uploads',
  'about',
  'device',
  'service-worker',
  'exported',
  'exports',
].map(name => `web/src/${name}`)

const areas: readonly Area[] = [
  { folder: messages, mayUse: [], rule: 'messages use nothing else of ours' },
  { folder: contract, mayUse: [], rule: 'the contract imports zod and nothing else of ours but messages' },
  { folder: client, mayUse: [contract], rule: 'the client may use the contract alone, so that it works everywhere' },
  { folder: serverKit, mayUse: [contract], rule: 'the server kit may use the contract alone' },
  ...serverBase.map(folder => ({
    folder,
    // The queue and the event bus use the database.
    mayUse: /(jobs|live)$/.test(folder) ? [contract, serverKit, database] : [contract, serverKit],
    rule: 'shared server modules may use the kit and the contract (jobs and live the database too)',
  })),
  {
    folder: processing,
    mayUse: [contract],
    rule: 'processing may use the contract alone: its sandbox shows decoders no other code',
  },
  ...serverFeatures.map(folder => ({
    folder,
    mayUse: [
      ...[contract, serverKit, processing, ...serverBase, featureType, ...serverFeatures.map(publicFile)],
      // It stores files as the command does.
      ...(folder === 'server/src/source-folders' ? [importCommand] : []),
    ],
    rule: 'a server feature may use itself, the shared modules, the type Feature, and the public.ts of another',
  })),
  { folder: webUi, mayUse: [], rule: 'ui knows nothing else of ours' },
  { folder: webKit, mayUse: [contract], rule: 'the web kit may use the contract alone' },
  ...webBase.map(folder => ({
    folder,
    mayUse: [contract, webUi, webKit],
    rule: 'shared web modules may use ui, kit and the contract',
  })),
  ...webFeatures.map(folder => ({
    folder,
    mayUse: [contract, webUi, webKit, ...webBase],
    rule: 'a web feature may use itself, ui, kit, mentions, live, media, hearts, outbox, map and the contract',
  })),
  { folder: 'web/src/app', mayUse: [contract, 'web/src'], rule: 'app composes the web and the contract, no more' },
  {
    folder: 'server/src/cli',
    mayUse: [contract, client, 'server/src', seed],
    rule: 'commands may use the server, the client, the seed and the contract',
  },
  { folder: seed, mayUse: [contract, 'server/src'], rule: 'the seed may use the server and the contract' },
  // Files directly in these two folders wire everything together. Their subfolders are areas of their own, above.
  { folder: 'web/src', mayUse: [contract], rule: 'the web may use itself and the contract' },
  { folder: 'server/src', mayUse: [contract], rule: 'the server may use itself and the contract' },
]

export function areaOf(file: string): Area | undefined {
  const area = areas.find(({ folder }) => isIn(folder, file))
  // A folder without its own area matches one of the roots, but their rule covers only the files directly in them.
  const isRoot = area?.folder === 'server/src' || area?.folder === 'web/src'
  return isRoot && dirname(file) !== area.folder ? undefined : area
}

export function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

export function isOfServer(file: string): boolean {
  return isIn('server/src', file) || isIn(seed, file)
}

function publicFile(feature: string): string {
  return `${feature}/public.ts`
}
