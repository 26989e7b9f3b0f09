import type { AppSettings } from '#contract/auth.ts'

export const texts = {
  loading: 'Loading…',
  login: {
    page: 'Sign in',
    heading: 'Sign in to your account',
    promise: 'Securely manage your photos and videos',
    button: 'Continue with Google',
    secure: 'Secure authentication with Google',
    terms:
      "Terms and privacy: photos and videos are stored securely on your family's own server, and only the people it lets in can see them.",
    demo: 'This is a demo library. You choose who to be; no Google account is needed.',
    about: 'About Heirloom',
    denied: 'Access denied. Your email address is not authorized to access this application.',
    tooMany: 'Too many attempts to sign in. Please wait a minute, then try again.',
    callSomeone: ({ contactName, adminName }: AppSettings) =>
      `Call ${contactName} and ask her to let ${adminName} know you are trying to get in`,
  },
  invitation: {
    label: 'Invitation',
    from: (inviter: string, title: string) => `${inviter} invites you to ${title}`,
    atOnce: 'Sign in, and you are in.',
    afterReview: 'Sign in, and your request is the first that the admin sees.',
    account: (email: string) => `Please choose the account ${email}.`,
    unused:
      'The invitation was not used: it is for another account, or it has ended. If it came to another address of yours, continue with Google again and choose that account.',
    ended: 'This invitation has ended or was used already. Please ask for a new one.',
  },
  waiting: {
    label: 'Waiting for approval',
    pending: 'This page opens by itself as soon as you are let in.',
    arrived: (moment: string) => `Your request arrived on ${moment}.`,
    adminInformed: ({ adminName }: AppSettings) => `We have told ${adminName}.`,
    denied: 'Your request was not approved.',
    approved: 'You’re in. Opening the library…',
  },
  callback: {
    page: 'Signing in',
    failed: 'Authentication failed. Please try again.',
    noToken: 'No authentication token received.',
    success: 'Successfully signed in!',
  },
  unreachable: {
    heading: 'We can’t reach your library',
    retry: 'Try again',
  },
  signedOutHereOnly: 'Signed out on this device',
  stillOpenOnServer:
    'The server could not be reached, so your session may still be active there. If this device is not yours, please sign in and out again later.',
} as const
