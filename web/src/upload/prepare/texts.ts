/** Texts of the preparation. The specification defines the wording of the errors. */
export const texts = {
  errors: {
    notAnImage: 'File is not an image',
    noCanvas: 'Could not get canvas context',
    noBlob: 'Failed to create blob',
    unreadableImage: 'The file can no longer be read. Was it moved or changed, or a card taken out?',
    unreadableVideo: 'Failed to load video file',
    transcoding: (reason: string) => `Failed to transcode video: ${reason}`,
  },
  /** Why a file is left to the server. */
  leftToServer: {
    unknownPicture: 'This browser cannot open pictures of this kind.',
    undecodable: 'This browser could not open the picture.',
    colours: 'This browser does not know the colours of this picture.',
    tooLarge: 'This picture is too large for this browser.',
    brokenDown: 'This browser could not prepare it.',
    unknownVideo: 'This browser cannot open videos of this kind.',
    unknownSound: 'Its sound may be of a kind that this browser does not know.',
    highDynamicRange: 'Its colours (HDR) are converted best on the server.',
    noEncoder: 'This browser cannot encode videos.',
    noSuchEncoder: 'The encoder of this browser does not support this size.',
    noDecoder: 'This browser cannot decode this video.',
    pictureLost: 'The picture would have been lost.',
    soundLost: 'The sound would have been lost.',
    partLost: 'A part of it would have been lost.',
    tooSlow: 'It took too long in this browser.',
  },
} as const
