import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sharedFiles } from '#contract/limits.ts'
import { sharedFilesField, shareTargetPath, uploadPath } from '#contract/share-target.ts'
import { localeOf, textsIn } from './kit/messages.ts'

/** What devices need to install the page as an app and to share photos with it. */
export async function serveInstalledApp(app: FastifyInstance, title: string): Promise<void> {
  app.get('/manifest.webmanifest', { config: { cost: 0 } }, (request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type('application/manifest+json')
      .send(manifestOf(title, request)),
  )
  await app.register(async scope => {
    // Node discards the body as it arrives.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))

    // Without a service worker, which keeps the files on the device. The server has no use for files of nobody knows whom.
    scope.post(shareTargetPath, async (request, reply) => {
      const size = Number(request.headers['content-length'])
      // Browsers show no answer that arrives before they have sent everything, unless the rest is small enough to wait for.
      if (!(size <= sharedFiles.readByServer)) reply.header('connection', 'close')
      return reply.header('cache-control', 'no-store').redirect(uploadPath('unavailable'), 303)
    })
  })
}

/** What a device shows of the installed app: the library's own title, and shortcuts in the person's language. */
function manifestOf(title: string, request: FastifyRequest) {
  const { app } = textsIn('server-pages', localeOf(request))
  return {
    id: '/',
    name: title,
    short_name: title,
    description: app.description,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbf9f5',
    theme_color: '#fbf9f5',
    categories: ['photo', 'social'],
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icons/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icons/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
    // Made by `npm run screenshots`, of made-up photos.
    screenshots: [
      { src: '/screenshots/desktop.jpg', type: 'image/jpeg', sizes: '1440x900', form_factor: 'wide' },
      { src: '/screenshots/phone.jpg', type: 'image/jpeg', sizes: '390x844', form_factor: 'narrow' },
    ],
    shortcuts: [
      { name: app.upload, url: uploadPath('') },
      { name: app.memories, url: '/memories' },
      { name: app.chat, url: '/?chat=' },
    ],
    share_target: {
      action: shareTargetPath,
      method: 'POST',
      enctype: 'multipart/form-data',
      // Some apps share only if there are these fields; the texts of photos are not used.
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: sharedFilesField, accept: ['image/*', 'video/*'] }],
      },
    },
    file_handlers: [{ action: '/', accept: openedFiles }],
    // What an open window shows is replaced; a running upload asks first. Focusing it instead would lose the shared files.
    launch_handler: { client_mode: 'navigate-existing' },
  }
}

/** What desktops offer to open with the app. They need the extensions. */
const openedFiles = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'image/avif': ['.avif'],
  'image/heic': ['.heic', '.heif'],
  'image/tiff': ['.tif', '.tiff'],
  'image/x-adobe-dng': ['.dng'],
  'video/mp4': ['.mp4'],
  'video/quicktime': ['.mov'],
  'video/x-m4v': ['.m4v'],
  'video/mp2t': ['.mts', '.m2ts'],
  'video/x-matroska': ['.mkv'],
  'video/x-msvideo': ['.avi'],
}
