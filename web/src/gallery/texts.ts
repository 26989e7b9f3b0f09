export const texts = {
  page: 'Gallery',
  heading: 'Gallery',
  subtitle: 'Shared family photos and videos',
  empty: {
    title: 'No photos or videos yet',
    text: 'Everything the family adds will find its place here.',
  },
} as const
