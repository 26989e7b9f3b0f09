export const texts = {
  page: 'Admin',
  heading: 'Admin',
  subtitle: 'Who may open this library, and how it is doing.',
  loading: 'Loading…',
  role: { label: 'Your Role:', value: 'Admin' },
  roles: {
    viewer: {
      label: 'Viewer',
      make: 'Make viewer',
      may: 'Sees everything, chats and writes notes',
      success: (name: string) => `${name} is a viewer now`,
    },
    member: {
      label: 'Member',
      make: 'Make member',
      may: 'Adds and changes photos too',
      success: (name: string) => `${name} is a member now`,
    },
    admin: {
      label: 'Admin',
      make: 'Make admin',
      may: 'Lets people in and looks after the library too',
      success: (name: string) => `${name} is an admin now`,
    },
  },
  invited: (inviter: string, role: string) => `Invited by ${inviter} as ${role.toLowerCase()}`,
  roleFailed: 'The role could not be changed',
  ownRole: {
    title: 'Give up being an admin?',
    text: 'You can no longer let people in or open this page. Another admin can make you an admin again.',
    label: 'Give it up',
  },
  sections: 'People and files',
  loadFailed: 'Failed to load admin data',
  failed: { title: 'The list of people could not be loaded', retry: 'Retry' },
  notForYou: {
    title: 'This page is for admins',
    text: 'Admins decide here who may open this library. You can use everything else as usual.',
    back: 'Back to the gallery',
  },
  pending: {
    label: 'Pending',
    date: 'Requested',
    empty: { title: 'No pending users', text: 'All users have been reviewed.' },
  },
  approved: {
    label: 'Approved',
    date: 'Approved',
    empty: { title: 'No approved users', text: 'No users have been approved yet.' },
  },
  denied: {
    label: 'Denied',
    date: 'Denied',
    empty: { title: 'No denied users', text: 'No users have been denied yet.' },
  },
  approve: {
    label: 'Approve',
    success: 'User approved successfully!',
    failure: 'Failed to approve user',
  },
  deny: { label: 'Deny', success: 'User denied', failure: 'Failed to deny user' },
  revoke: {
    label: 'Revoke',
    success: 'User access revoked',
    failure: 'Failed to revoke user access',
    question: (name: string) => `Revoke access for ${name}?`,
    warning:
      'They are signed out at once, on every device. What they added stays in the library, and you can let them in again later.',
    confirm: 'Revoke access',
    cancel: 'Cancel',
  },
  reapprove: {
    label: 'Re-approve',
    success: 'User re-approved successfully!',
    failure: 'Failed to re-approve user',
  },
} as const
