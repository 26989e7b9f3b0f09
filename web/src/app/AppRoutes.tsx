import { lazy, Suspense } from 'react'
import { Navigate, Outlet, Route, Routes } from 'react-router'
import { callbackPagePath } from '#contract/auth.ts'
import { sharedPagePath } from '#contract/links.ts'
import type { CallbackResult } from '../auth/callback-result.ts'
import { FullPageSpinner } from '../auth/FullPageSpinner.tsx'
import { RequireSession } from '../auth/RequireSession.tsx'
import { pages } from './features.ts'
import { HomePage } from './HomePage.tsx'
import { Layout } from './Layout.tsx'
import { PublicLayout } from './PublicLayout.tsx'

// Loaded on demand, since the gallery does not need them.
const LoginPage = lazy(async () => ({ default: (await import('../auth/LoginPage.tsx')).LoginPage }))
const CallbackPage = lazy(async () => ({ default: (await import('../auth/CallbackPage.tsx')).CallbackPage }))
const WaitingNotice = lazy(async () => ({
  default: (await import('../guest-uploads/WaitingNotice.tsx')).WaitingNotice,
}))
const AlbumsPage = lazy(async () => ({ default: (await import('../albums/AlbumsPage.tsx')).AlbumsPage }))
const AlbumPage = lazy(async () => ({ default: (await import('./AlbumPage.tsx')).AlbumPage }))
const MapPage = lazy(async () => ({ default: (await import('./MapPage.tsx')).MapPage }))
const Settings = lazy(async () => ({ default: (await import('./Settings.tsx')).Settings }))
const IphonePage = lazy(async () => ({ default: (await import('../about/IphonePage.tsx')).IphonePage }))
const AboutPage = lazy(async () => ({ default: (await import('../about/AboutPage.tsx')).AboutPage }))

const EmergencySheetPage = lazy(async () => ({
  default: (await import('../admin/emergency-sheet/EmergencySheetPage.tsx')).EmergencySheetPage,
}))

const SharedPage = lazy(async () => ({ default: (await import('./SharedPage.tsx')).SharedPage }))

export function AppRoutes({ arrival }: { arrival: CallbackResult }) {
  return (
    <Routes>
      <Route element={<WholePage />}>
        <Route path="/login" element={<LoginPage />} />
        <Route path={callbackPagePath} element={<CallbackPage arrival={arrival} />} />
        <Route path={sharedPagePath} element={<SharedPage />} />
      </Route>
      <Route element={<PublicLayout />}>
        <Route path="/about" element={<AboutPage />} />
        <Route path="/iphone" element={<IphonePage />} />
      </Route>
      <Route element={<RequireSession />}>
        <Route element={<WholePage />}>
          <Route path="/admin/emergency-sheet" element={<EmergencySheetPage />} />
        </Route>
        <Route element={<Layout />}>
          <Route path="/" element={<HomePage />} />
          {pages.map(({ path, Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
          <Route
            path="/albums"
            element={
              <>
                <WaitingNotice />
                <AlbumsPage />
              </>
            }
          />
          <Route path="/albums/:id" element={<AlbumPage />} />
          <Route path="/map" element={<MapPage />} />
          <Route path="/settings" element={<Settings />} />
        </Route>
      </Route>
      <Route path="*" element={<Navigate to="/" replace />} />
    </Routes>
  )
}

function WholePage() {
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <Outlet />
    </Suspense>
  )
}
