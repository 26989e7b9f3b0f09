import { useSession } from '../auth/SessionProvider.tsx'
import { clearDrafts } from '../chat/drafts.ts'
import { OnThisDevice } from '../device/OnThisDevice.tsx'
import { PushSettings } from '../device/PushSettings.tsx'
import { useViewPreference } from '../gallery/view-preference.ts'
import { HiddenMemories } from '../memories/HiddenMemories.tsx'
import { clearNoteDrafts } from '../notes/drafts.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'

/** My settings, with what other features have there. */
export function Settings() {
  const { session, signOut } = useSession()
  const { chooseView } = useViewPreference()
  return session.status === 'authenticated' ? (
    <SettingsPage
      user={session.user}
      onStartView={chooseView}
      hiddenMemories={<HiddenMemories />}
      push={<PushSettings person={session.user.id} />}
      onThisDevice={<OnThisDevice />}
      onClosed={() => {
        clearDrafts()
        clearNoteDrafts()
        void signOut()
      }}
    />
  ) : null
}
