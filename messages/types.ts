// Generated from the catalogues in messages/en by `npm run messages`.

export interface Messages {
  about: {
    page: string
    heading: string
    subtitle: string
    version: string
    licence: string
    software: (values: { adminName: string }) => string
    iphone: string
    credits: {
      heading: string
      places: string
      uses: {
        placeNames: string
        map: string
        borders: string
        headings: string
        text: string
        icons: string
        browserVideos: string
        serverVideos: string
        heic: string
        photos: string
        rareFormats: string
        raw: string
        metadata: string
      }
    }
    packages: {
      heading: string
      text: (values: { count: number }) => string
      count: (values: { count: number }) => string
    }
  }
  'admin-activity': {
    gone: string
    media: {
      upload: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      rename: (values: { before: string; name: string }) => string
      renameUnknown: (values: { name: string }) => string
      move: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      rotate: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      date: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      place: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      caption: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      delete: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      restore: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      repair: (values: { name: string }) => string
      purge: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      addClip: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      tag: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string; tag: string }) => string
      tagUnknown: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      untag: (values: { tag: string; what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      untagUnknown: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      undo: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      heart: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      heartFiles: (values: { files: number }) => string
      unheart: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      unheartFiles: (values: { files: number }) => string
      rehash: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      retry: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
    }
    undo: {
      move: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      rotate: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      date: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      place: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      caption: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      tag: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string; tag: string }) => string
      tagUnknown: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      untag: (values: { tag: string; what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
      untagUnknown: (values: { what: 'photos' | 'mixed' | 'other'; count: number; name: string }) => string
    }
    note: {
      add: (values: { name: string }) => string
      edit: (values: { name: string }) => string
      delete: (values: { name: string }) => string
      restore: (values: { name: string }) => string
    }
    folder: {
      create: (values: { name: string }) => string
      rename: (values: { before: string; name: string }) => string
      move: (values: { name: string }) => string
      delete: (values: { name: string }) => string
    }
    album: {
      create: (values: { name: string }) => string
      rename: (values: { before: string; name: string }) => string
      update: (values: { name: string }) => string
      delete: (values: { name: string }) => string
      restore: (values: { name: string }) => string
      add: (values: { files: number; name: string }) => string
      remove: (values: { files: number; name: string }) => string
      restoreFiles: (values: { files: number; name: string }) => string
      reorder: (values: { name: string }) => string
      comment: (values: { name: string }) => string
      editComment: (values: { name: string }) => string
      deleteComment: (values: { name: string }) => string
      restoreComment: (values: { name: string }) => string
    }
    link: {
      create: (values: { named: 'no' | 'other'; name: string }) => string
      update: (values: { named: 'no' | 'other'; name: string }) => string
      end: (values: { named: 'no' | 'other'; name: string }) => string
      reopen: (values: { named: 'no' | 'other'; name: string }) => string
      show: (values: { named: 'no' | 'other'; name: string }) => string
    }
    guests: {
      accept: (values: { files: number; name: string }) => string
      acceptFrom: (values: { files: number; guests: string; name: string }) => string
      reject: (values: { files: number; name: string }) => string
      reconsider: (values: { files: number; name: string }) => string
    }
    person: {
      approve: (values: { name: string }) => string
      deny: (values: { name: string }) => string
      revoke: (values: { name: string }) => string
      reapprove: (values: { name: string }) => string
      rename: (values: { before: string; name: string }) => string
      renameUnknown: (values: { name: string }) => string
      picture: string
      invite: (values: { name: string }) => string
      inviteForApproval: (values: { name: string }) => string
      makeViewer: (values: { name: string }) => string
      makeMember: (values: { name: string }) => string
      makeAdmin: (values: { name: string }) => string
      handOver: (values: { name: string }) => string
      close: string
    }
    invitation: {
      create: (values: { name: string }) => string
      createUnnamed: string
      show: (values: { name: string }) => string
      showUnnamed: string
      mail: (values: { name: string }) => string
      end: (values: { name: string }) => string
      endUnnamed: string
    }
    session: {
      start: string
      end: string
      endAll: string
    }
    appPassword: {
      create: (values: { name: string }) => string
      end: (values: { name: string }) => string
    }
  }
  'admin-invitations': {
    tab: string
    intro: string
    make: string
    title: string
    failedToLoad: string
    loading: string
    failed: {
      title: string
      retry: string
    }
    empty: {
      title: string
      text: string
    }
    who: {
      label: string
      anybody: string
      one: string
    }
    email: string
    emailMissing: string
    role: {
      label: string
      member: string
      viewer: string
    }
    autoApprove: {
      label: string
      true: string
      false: string
    }
    cancel: string
    create: string
    createFailed: string
    ready: {
      title: string
      text: string
      anybody: string
      done: string
      again: string
      notStored: string
      otherKey: string
      show: string
      showFailure: string
      sendFailure: string
      mail: (values: { address: string }) => string
      mailed: (values: { address: string }) => string
      mailFailure: string
    }
    forAnybody: string
    roles: {
      viewer: string
      member: string
    }
    details: (values: { inviter: string; made: string }) => string
    until: (values: { day: string }) => string
    status: {
      used: string
      expired: string
      ended: string
    }
    uses: (values: { count: number }) => string
    asksFirst: string
    end: {
      label: string
      success: string
      failure: string
    }
    address: {
      address: string
      copy: string
      copied: string
      qr: string
      qrAlternative: string
      savePicture: string
      fileName: string
      send: string
    }
  }
  'admin-library': {
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    more: string
    failedFiles: {
      label: string
      empty: {
        title: string
        text: string
      }
      problem: {
        failed: string
        damaged: string
        partly_damaged: string
        incomplete: string
      }
      since: (values: { day: string }) => string
      download: string
      sandboxed: string
      retryAll: {
        label: string
        all: (values: { count: number }) => string
        some: (values: { count: number }) => string
      }
      waiting: (values: { count: number }) => string
    }
    overview: {
      heading: string
      files: string
      storage: string
      originals: string
      disk: string
      diskOf: (values: { total: string }) => string
      inStore: string
      unknown: string
      backup: string
      noBackup: string
      howToBackUp: string
      backedUp: (values: { count: number }) => string
      backupProblems: (values: { count: number }) => string
      waiting: string
      failed: string
      lately: string
      lookAt: (values: { figures: string }) => string
      figures: {
        disk: string
        backup: string
        failed: string
        sandbox: string
        ffmpeg: string
        mail: string
      }
      sandbox: string
      sandboxLevels: {
        full: string
        partial: string
        none: string
      }
      version: string
      ffmpeg: string
      ffmpegVersion: (values: { version: string }) => string
      ffmpegVersionOfYear: (values: { version: string; year: string }) => string
      ffmpegOrigins: {
        configured: string
        system: string
        package: string
      }
      oldFfmpeg: {
        configured: string
        system: string
        package: string
      }
      noFfmpeg: string
      noFfmpegHint: string
      mail: {
        name: string
        on: string
        off: string
        problem: string
        howTo: string
        from: (values: { address: string }) => string
        lastSent: (values: { moment: string }) => string
        errors: {
          waiting: (values: { moment: string; text: string }) => string
          sent: (values: { moment: string; text: string }) => string
          failed: (values: { moment: string; text: string }) => string
        }
      }
      growth: string
      month: string
      added: (values: { month: string; count: number; size: string }) => string
    }
    retry: {
      label: string
      success: string
      failure: string
    }
    activity: {
      label: string
      who: string
      everyone: string
      product: string
      which: string
      gone: string
      restore: {
        label: string
        success: string
        failure: string
      }
      empty: {
        title: string
        text: string
      }
    }
    sourceFolders: {
      watched: string
      watchedStates: {
        new: string
        ready: string
        not_mounted: string
        many_missing: (values: { count: number }) => string
        no_owner: string
        failing: string
      }
      files: (values: { count: number }) => string
      unreadable: (values: { count: number }) => string
      lookedAt: (values: { count: number }) => string
      without: (values: { servers: string }) => string
      missing: (values: { count: number }) => string
      scan: {
        label: string
        success: string
        failure: string
      }
      accept: {
        label: string
        title: string
        text: string
        success: string
      }
      label: string
      inbox: string
      states: {
        ready: string
        absent: string
        no_owner: string
        failing: string
      }
      waiting: (values: { count: number }) => string
      checked: (values: { moment: string }) => string
      failures: string
      reasons: {
        not_media: string
        audio_only: string
        link: string
        special: string
        name: string
        unreadable: string
      }
    }
  }
  admin: {
    page: string
    heading: string
    subtitle: string
    loading: string
    role: {
      label: string
      value: string
    }
    roles: {
      viewer: {
        label: string
        make: string
        may: string
        success: (values: { name: string }) => string
        invited: (values: { inviter: string }) => string
      }
      member: {
        label: string
        make: string
        may: string
        success: (values: { name: string }) => string
        invited: (values: { inviter: string }) => string
      }
      admin: {
        label: string
        make: string
        may: string
        success: (values: { name: string }) => string
        invited: (values: { inviter: string }) => string
      }
    }
    roleFailed: string
    ownRole: {
      title: string
      text: string
      label: string
    }
    sections: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    notForYou: {
      title: string
      text: string
      back: string
    }
    pending: {
      label: string
      date: string
      empty: {
        title: string
        text: string
      }
    }
    approved: {
      label: string
      date: string
      empty: {
        title: string
        text: string
      }
    }
    denied: {
      label: string
      date: string
      empty: {
        title: string
        text: string
      }
    }
    approve: {
      label: string
      success: string
      failure: string
    }
    deny: {
      label: string
      success: string
      failure: string
    }
    revoke: {
      label: string
      success: string
      failure: string
      question: (values: { name: string }) => string
      warning: string
      confirm: string
      cancel: string
    }
    reapprove: {
      label: string
      success: string
      failure: string
    }
    handOver: {
      heading: string
      intro: string
      label: string
      title: string
      text: string
      operator: string
      person: string
      choose: string
      nobody: string
      question: (values: { name: string }) => string
      warning: (values: { name: string; email: string }) => string
      confirm: (values: { name: string }) => string
      success: (values: { name: string }) => string
      failure: string
      continue: string
      cancel: string
    }
  }
  albums: {
    page: string
    heading: string
    subtitle: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    list: string
    smart: string
    empty: {
      title: string
      text: string
      forViewers: string
    }
    create: {
      label: string
      confirm: string
      smartHint: string
      success: string
      open: string
      failure: string
    }
    form: {
      title: string
      description: string
      descriptionHint: string
      titleMissing: string
      save: string
      cancel: string
    }
    saveSearch: {
      title: string
      text: (values: { search: string }) => string
    }
    editSearch: {
      label: string
      bar: (values: { title: string }) => string
      nothing: string
    }
    edit: {
      label: string
      success: string
      failure: string
    }
    order: {
      label: string
      choices: {
        oldest: string
        newest: string
        manual: string
      }
      hint: string
    }
    cover: {
      clear: string
    }
    delete: {
      label: string
      title: string
      confirm: (values: { title: string }) => string
      button: string
      success: string
      failure: string
    }
    add: {
      label: string
      title: (values: { count: number }) => string
      search: string
      clear: string
      none: string
      new: string
      success: (values: { count: number }) => string
      failure: string
    }
    remove: {
      success: (values: { count: number }) => string
      successInPart: (values: { count: number; kept: number }) => string
      failure: string
    }
    reorder: {
      success: string
      failure: string
    }
    album: {
      breadcrumb: string
      madeBy: (values: { name: string }) => string
      slideshow: string
      download: string
      share: string
      collect: string
      addPhotos: string
      moreText: string
      lessText: string
      more: string
      showSearch: string
      fillsItself: (values: { search: string }) => string
      empty: {
        title: string
        text: string
      }
      emptySmart: {
        title: string
        text: string
      }
      gone: {
        title: string
        text: string
        back: string
      }
    }
    choosing: {
      label: (values: { title: string }) => string
      add: (values: { count: number; title: string }) => string
      cancel: string
    }
    ofFile: {
      heading: string
      addedBy: (values: { name: string }) => string
      addedByGuest: (values: { name: string }) => string
      remove: (values: { title: string }) => string
    }
  }
  app: {
    downloadInParts: string
    downloadInPartsFailed: string
    files: (values: { count: number }) => string
    loading: string
    cancel: string
    skipToContent: string
    mainNavigation: string
    libraryNavigation: string
    gallery: string
    folders: string
    upload: string
    uploadFiles: string
    admin: string
    links: string
    ownPage: string
    settings: string
    recentlyDeleted: string
    about: string
    toSignIn: string
    logOut: string
    logOutUnsent: {
      uploads: {
        title: string
        text: string
      }
      files: {
        title: string
        text: (values: { count: number }) => string
      }
      waiting: {
        title: string
      }
      drafts: {
        title: string
        text: string
      }
      cancel: string
    }
    sendToChat: string
    share: string
    shareTooltip: string
    shared: {
      notAllowed: string
      full: string
      empty: string
      unavailable: string
      gone: string
    }
    tabs: {
      photos: string
      more: string
      chat: string
    }
    appearance: string
    themes: {
      system: string
      light: string
      dark: string
    }
    toasts: {
      label: string
      close: string
    }
    offline: string
    unreachable: string
    crash: {
      heading: string
      text: string
      reload: string
    }
  }
  auth: {
    loading: string
    login: {
      page: string
      heading: string
      promise: string
      button: string
      secure: string
      terms: string
      demo: string
      about: string
      denied: string
      tooMany: string
      callSomeone: (values: { contactName: string; adminName: string }) => string
    }
    invitation: {
      label: string
      from: (values: { inviter: string; title: string }) => string
      atOnce: string
      afterReview: string
      account: (values: { email: string }) => string
      unused: string
      ended: string
    }
    waiting: {
      label: string
      welcome: string
      pending: string
      later: string
      notYou: string
      arrived: (values: { moment: string }) => string
      adminInformed: (values: { adminName: string }) => string
      denied: string
      approved: string
    }
    callback: {
      page: string
      failed: string
      noToken: string
      success: string
    }
    unreachable: {
      heading: string
      retry: string
    }
    signedOutHereOnly: string
    stillOpenOnServer: string
  }
  changes: {
    title: string
    loading: string
    failed: {
      title: string
      retry: string
    }
    empty: string
    undo: string
    undoOf: (values: { what: string }) => string
    undone: string
    undoFailed: string
    deleted: string
    close: string
    files: (values: { files: number }) => string
    manyFiles: string
    what: {
      date: (values: { subject: string }) => string
      place: (values: { subject: string }) => string
      move: (values: { subject: string }) => string
      rotate: (values: { subject: string }) => string
      tag: (values: { subject: string; tag: string }) => string
      untag: (values: { tag: string; subject: string }) => string
      caption: (values: { subject: string }) => string
      other: (values: { subject: string }) => string
    }
  }
  chat: {
    title: string
    titleWithUnread: (values: { unread: number }) => string
    close: string
    loading: string
    retry: string
    loadFailed: string
    list: {
      label: string
      start: string
      empty: {
        title: string
        text: string
      }
      untitled: string
      noMessages: string
      own: (values: { message: string }) => string
      photo: string
      video: string
      goneFile: string
      participants: (values: { count: number }) => string
      unread: (values: { count: number }) => string
    }
    conversation: {
      back: string
      log: string
      empty: {
        title: string
        text: string
      }
      today: string
      yesterday: string
      newMessages: string
      announcement: (values: { name: string; content: string }) => string
      typing: {
        one: (values: { name: string }) => string
        two: (values: { first: string; second: string }) => string
        several: string
      }
      read: (values: { when: string }) => string
      sending: string
      notSent: string
      tryAgain: string
      discard: string
      openPhoto: (values: { name: string }) => string
      photoGone: string
      noPreview: string
    }
    composer: {
      label: string
      placeholder: string
      send: string
    }
    start: {
      title: string
      tabs: string
      direct: string
      group: string
      groupName: string
      lacking: {
        name: string
        people: (values: { count: number }) => string
      }
      startChat: string
      createGroup: string
      cancel: string
      failure: string
    }
    people: {
      search: string
      clear: string
      list: string
      chosen: string
      remove: (values: { name: string }) => string
      nobody: string
      nobodyFound: (values: { search: string }) => string
    }
    group: {
      menu: string
      rename: string
      save: string
      cancel: string
      renameFailed: string
      add: string
      addButton: (values: { count: number }) => string
      addFailed: string
      members: string
      you: string
      leave: string
      leaveQuestion: (values: { title: string }) => string
      leaveText: string
      leaveConfirm: string
      leaveFailed: string
    }
    share: {
      title: string
      note: string
      notePlaceholder: string
      where: string
      search: string
      nothingFound: (values: { search: string }) => string
      send: string
      cancel: string
      sent: (values: { title: string }) => string
      notSent: string
      notSentText: string
    }
  }
  'date-words': {
    undated: string
    decade: (values: { year: string }) => string
    seasons: {
      spring: (values: { year: string }) => string
      summer: (values: { year: string }) => string
      autumn: (values: { year: string }) => string
      winter: (values: { years: string }) => string
    }
    about: {
      year: (values: { year: string }) => string
      decade: (values: { year: string }) => string
      date: (values: { date: string }) => string
    }
    before: (values: { end: string }) => string
    after: (values: { end: string }) => string
    between: (values: { from: string; to: string }) => string
    ends: {
      decade: (values: { year: string }) => string
      season: (values: { season: string }) => string
      day: (values: { day: string }) => string
    }
  }
  dates: {
    title: (values: { count: number }) => string
    ways: string
    cancel: string
    save: string
    success: (values: { count: number }) => string
    skipped: (values: { count: number }) => string
    failure: string
    set: {
      tab: string
      label: string
      example: string
      hint: string
      notUnderstood: string
      onlyYear: (values: { year: string }) => string
      future: string
      noSuchDay: string
      undated: string
      span: (values: { span: string }) => string
    }
    shift: {
      tab: string
      hint: string
      direction: string
      later: string
      earlier: string
      years: string
      months: string
      days: string
      hours: string
      minutes: string
    }
    copy: {
      tab: string
      label: string
      placeholder: string
      none: string
      failed: string
    }
    zone: {
      tab: string
      label: string
      placeholder: string
      found: string
      none: string
      home: string
      device: string
      keep: string
      clock: string
      moment: string
    }
    preview: {
      first: string
      becomes: string
      changed: (values: { count: number }) => string
      notExact: (values: { count: number }) => string
      notExactAlone: string
      nothing: string
    }
    clear: {
      many: string
      one: {
        metadata: string
        sidecar: string
        name: string
        modified: string
        file: string
        person: string
        none: string
      }
    }
    undated: {
      loading: string
      title: string
      left: (values: { count: number }) => string
      none: {
        title: string
        text: string
        back: string
      }
      skip: string
      back: string
      next: string
      failed: {
        title: string
        retry: string
      }
      end: {
        title: string
        done: (values: { count: number }) => string
        skipped: (values: { count: number }) => string
        again: string
      }
      saved: (values: { date: string }) => string
      undo: string
      again: string
      uploaded: (values: { name: string; date: string }) => string
      doubtful: (values: { date: string }) => string
    }
  }
  device: {
    update: {
      text: string
      load: string
      later: string
    }
    install: {
      text: (values: { title: string }) => string
      install: string
      show: string
      no: string
      done: (values: { title: string }) => string
      ios: {
        title: (values: { title: string }) => string
        share: string
        add: string
        sharePicture: string
        addPicture: string
        close: string
      }
    }
    push: {
      loading: string
      loadFailed: string
      failed: {
        title: string
        retry: string
      }
      saveFailed: string
      refused: string
      intro: string
      switchOn: string
      switchOff: string
      switchedOn: string
      unsupported: string
      installFirst: string
      denied: string
      kindsHeading: string
      kinds: {
        mentions: string
        messages: string
        notes: string
        hearts: string
        photos: string
        memories: string
        requests: string
      }
      muted: string
      contents: string
      previews: string
      previewsText: string
      quiet: {
        heading: string
        label: string
        from: string
        until: string
        text: string
      }
      others: string
      unknownDevice: string
      since: (values: { moment: string }) => string
      remove: string
      removeFrom: (values: { device: string }) => string
      removed: string
      offer: {
        text: string
        no: string
        yes: string
      }
    }
    settings: {
      intro: string
      recent: (values: { size: string }) => string
      nothing: string
      unsupported: string
      erase: string
      erased: string
      eraseFailed: string
      persistent: string
      temporary: string
    }
  }
  'emergency-sheet': {
    page: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    link: string
    print: string
    back: string
    hint: string
    heading: string
    about: (values: { title: string; version: string; date: string }) => string
    open: {
      heading: string
      text: string
      address: string
      admins: string
      adminsHint: string
    }
    where: {
      heading: string
      hint: string
      machine: string
      program: string
      settings: string
      data: string
      database: string
      sqlite: (values: { file: string }) => string
      postgres: (values: { name: string; host: string }) => string
      originals: string
      s3: (values: { bucket: string; endpoint: string }) => string
      amazon: string
      unknown: string
      backup: string
      none: string
      backedUp: (values: { date: string; count: number }) => string
      backedUpTo: (values: { date: string; count: number; folder: string }) => string
      backedUpOn: (values: { date: string; count: number; folder: string; machine: string }) => string
      damaged: (values: { count: number }) => string
    }
    take: {
      heading: string
      text: string
      files: (values: { folder: string }) => string
    }
    restore: {
      heading: string
      text: (values: { archive: string }) => string
      backupFolder: string
      then: string
    }
    fill: {
      heading: string
      computer: string
      password: string
      settings: string
      provider: string
      domain: string
      backup: string
      disk: string
      program: string
      call: string
      call2: string
      by: string
    }
  }
  errors: {
    server: {
      failed: string
      unreachable: string
      unavailable: string
      demo: string
      metricsToken: string
    }
    request: {
      notUnderstood: string
      address: string
      nothingHere: string
      notText: string
      cutOff: string
      tooMuch: string
      nobodyWaits: string
      slowSearch: string
      answersUnread: string
      waitSeconds: (values: { seconds: number }) => string
      waitMinutes: (values: { minutes: number }) => string
      noChange: string
      ids: (values: { count: number }) => string
    }
    input: {
      missing: (values: { subject: string }) => string
      kind: (values: { subject: string; kind: 'string' | 'number' | 'int' | 'boolean' | 'list' | 'record' | 'null' | 'date' | 'other' }) => string
      empty: (values: { subject: string }) => string
      characters: (values: { subject: string; amount: 'exactly' | 'least' | 'other'; count: number }) => string
      entries: (values: { subject: string; amount: 'exactly' | 'least' | 'other'; count: number }) => string
      number: (values: { subject: string; amount: 'exactly' | 'least' | 'more' | 'less' | 'other'; limit: number }) => string
      value: (values: { subject: string; value: string }) => string
      oneOf: (values: { subject: string; values: string; last: string }) => string
      multiple: (values: { subject: string; divisor: string }) => string
      format: (values: { subject: string; format: 'date' | 'datetime' | 'email' | 'url' | 'uuid' | 'safeint' | 'other' }) => string
      unknownFields: (values: { subject: string; names: string }) => string
      notAllowed: (values: { subject: string }) => string
      subject: {
        request: string
        whole: string
        field: (values: { name: string }) => string
        fieldIn: (values: { name: string; place: string }) => string
        entry: (values: { entry: string; place: string }) => string
      }
      place: {
        list: string
        field: (values: { name: string }) => string
        fieldIn: (values: { name: string; place: string }) => string
        entry: (values: { entry: string; place: string }) => string
      }
    }
    auth: {
      signIn: string
      accessEnded: string
      otherBrowser: string
      deviceSignedOut: string
      sessionId: string
      invitationOver: string
      nobodyAsked: string
      mayOnlyLook: string
      adminsOnly: string
    }
    passwords: {
      wrong: string
      readsOnly: string
      uploadsOnly: string
      missing: string
      tooMany: (values: { count: number }) => string
      nameTooLong: (values: { count: number }) => string
      nameMissing: string
    }
    people: {
      missing: string
      pending: string
      approved: string
      denied: string
      revoked: string
      otherRole: string
      lastAdminRevoked: string
      lastAdminRole: string
      closeUsername: string
      lastAdminCloses: string
      handOverToSelf: string
      handOverEmail: string
      nameTooLong: (values: { count: number }) => string
      nameMissing: string
      manyInvitations: string
      invitationMissing: string
      emailTooLong: string
      emailMissing: string
    }
    mail: {
      notConfigured: string
      noAddress: string
      unsubscribeLink: string
    }
    push: {
      endpoint: string
      keys: string
      timeZone: string
      noDevice: string
      otherDevice: string
    }
    picture: {
      unreadable: string
      tooManyPixels: string
      noPicture: string
      tooLarge: string
    }
    files: {
      missing: string
      chooseOne: string
      tooMany: (values: { count: number }) => string
      nameMissing: string
      nameTooLong: (values: { count: number }) => string
      nameTooLongWithExtension: (values: { count: number }) => string
      renamedSince: (values: { name: string }) => string
      captionTooLong: (values: { count: number }) => string
      captionRemovedSince: string
      captionedSince: (values: { caption: string }) => string
      onlyPhotosTurn: string
      turnedSince: string
      movedSince: string
      otherCursor: string
      beingPrepared: string
      needsNoVersion: string
      manyVersions: string
      hashDigits: string
      otherHash: string
      notAsUploaded: string
      fine: string
      reason: {
        damaged: string
        notPrepared: string
        incomplete: string
        partlyDamaged: (values: { kind: 'video' | 'other' }) => string
      }
    }
    trash: {
      notDeleted: (values: { count: number }) => string
      nextPage: string
    }
    dates: {
      unknownTimeZone: string
      nothingToCopy: string
      noShift: string
      impossible: string
      noInterval: string
    }
    places: {
      bounds: string
      notOnMap: string
    }
    folders: {
      missing: string
      nameMissing: string
      nameTooLong: (values: { count: number }) => string
      nameTaken: (values: { name: string }) => string
      changedSince: string
      intoItself: string
      tooDeep: (values: { count: number }) => string
    }
    albums: {
      missing: string
      titleMissing: string
      titleTooLong: (values: { count: number }) => string
      descriptionTooLong: (values: { count: number }) => string
      noFilter: string
      changedSince: string
      notYours: string
      notYoursToTakeOut: string
      cannotPutBack: string
      takenOut: string
      coverGone: string
      movedBeforeItself: string
      orderedByDate: string
      smartByDate: string
      fillsItself: string
      filledBySearch: string
      filledByPeople: string
      noManualOrder: string
    }
    memories: {
      manyHidden: (values: { count: number }) => string
      noSuchDay: string
    }
    tags: {
      missing: string
      tooLong: (values: { count: number }) => string
      notOnFile: string
    }
    notes: {
      missing: string
      changedSince: string
      notYours: string
      writtenElsewhere: string
      empty: string
      tooLong: (values: { count: number }) => string
    }
    comments: {
      missing: string
      changedSince: string
      notYours: string
      writtenElsewhere: string
    }
    changes: {
      missing: string
      notYours: string
      cannotContinue: string
      changedAgain: string
    }
    links: {
      missing: string
      addressNotStored: string
      addressOfOtherKey: string
      titleMissing: string
      titleTooLong: (values: { count: number }) => string
      passwordTooShort: (values: { count: number }) => string
      passwordTooLong: (values: { count: number }) => string
      manyFiles: (values: { count: number }) => string
      manyLinks: (values: { count: number }) => string
      mayNotShare: string
      changedSince: string
      notYours: string
      endedByAnother: string
      ended: string
      wrongPassword: string
      openAgain: string
      fileNotShown: string
      nothingReady: string
      noOriginals: string
    }
    guests: {
      sayWho: string
      linkFull: string
      noPicture: string
      arrivedAlready: string
      beingUploaded: string
    }
    chat: {
      missing: string
      withYourself: string
      chooseTwo: string
      chooseOne: string
      onlyTwo: string
      manyGroups: string
      groupNameMissing: string
      groupNameTooLong: (values: { count: number }) => string
      empty: string
      tooLong: (values: { count: number }) => string
      sentElsewhere: string
    }
    notifications: {
      missing: string
    }
    watched: {
      none: string
      unknown: string
    }
    export: {
      missing: string
      preparing: string
      notReady: string
    }
    zip: {
      expired: string
      several: string
    }
    upload: {
      missing: string
      namedTwice: string
      joined: string
      unfinished: string
      manyUnfinished: (values: { count: number }) => string
      tooLarge: (values: { gigabytes: number }) => string
      noForm: string
      brokeOff: string
      fieldTooLong: (values: { field: string }) => string
      unknownField: (values: { field: string }) => string
      manyParts: (values: { count: number }) => string
      manyFiles: (values: { count: number }) => string
      noFile: string
      notJson: string
      notAPart: (values: { name: string }) => string
      partTwice: (values: { part: string }) => string
      partOfTwice: (values: { name: string }) => string
      partOfWhich: (values: { name: string }) => string
      photoMissing: string
      bytesMissing: (values: { name: string }) => string
      otherHash: (values: { name: string }) => string
      fileEmpty: (values: { name: string }) => string
      noPhotoOrVideo: (values: { name: string }) => string
      soundOnly: (values: { name: string }) => string
      clipWithoutPhoto: (values: { name: string }) => string
      clipNoVideo: (values: { name: string }) => string
      pictureTooComplex: (values: { picture: string }) => string
      deletedMeanwhile: string
      clipMeanwhile: string
    }
    storage: {
      full: string
      fileMissing: string
      fileGone: string
      linkExpired: string
      noSuchName: string
      nameTaken: string
      endsAfter: (values: { bytes: number }) => string
      onlyBytes: (values: { bytes: number }) => string
      endsBefore: string
      shorter: string
      symbolicLink: string
      diskError: string
      diskTooSmall: string
      diskCorrupts: string
      storeError: string
      storeCorrupts: string
    }
    webdav: {
      missing: string
      outside: string
      name: string
      tooDeep: (values: { count: number }) => string
      pathTooLong: (values: { count: number }) => string
      readOnly: string
      noDeletes: string
      noFolder: string
      exists: string
      isFolder: string
      ontoItself: string
      manyEntries: (values: { count: number }) => string
      locked: string
      manyLocks: string
      lockKind: string
      noLock: string
      noParts: string
      xml: string
      bodyTooLarge: string
      origin: string
      https: string
      needsPassword: string
      noSuchMethod: string
    }
  }
  'export-page': {
    about: string
    after: string
    albums: string
    before: string
    clip: string
    close: string
    date: string
    decade: string
    folder: string
    hearts: string
    loading: string
    missing: string
    next: string
    noPreview: string
    nothing: string
    original: string
    photos: string
    place: string
    places: string
    previous: string
    search: string
    searchAlbum: string
    searchAlbumHint: string
    spring: string
    summer: string
    autumn: string
    winter: string
    tags: string
    undated: string
    uploadedBy: string
    years: string
  }
  exports: {
    page: string
    heading: string
    subtitle: string
    chosen: (values: { count: number; title: string }) => string
    all: string
    allInstead: string
    sizeLabel: string
    sizeHint: string
    size: (values: { gigabytes: number }) => string
    prepare: string
    prepared: string
    prepareFailed: string
    loadFailed: string
    loading: string
    failed: {
      title: string
      retry: string
    }
    own: string
    preparing: (values: { percent: number }) => string
    notPrepared: string
    outdated: string
    missing: (values: { count: number }) => string
    until: (values: { date: string }) => string
    download: (values: { part: number; parts: number; size: string }) => string
    downloadFailed: string
    started: string
    remove: string
    removed: string
    removeFailed: string
  }
  folders: {
    title: string
    close: string
    all: string
    withFiles: (values: { name: string; count: number }) => string
    breadcrumb: string
    up: (values: { folder: string }) => string
    foldersIn: (values: { name: string }) => string
    showAllFolders: (values: { count: number }) => string
    loading: string
    retry: string
    none: string
    noneForViewers: string
    actions: (values: { name: string }) => string
    nameMissing: string
    rootLevel: string
    cancel: string
    create: {
      label: string
      within: string
      name: string
      parent: string
      confirm: string
      success: string
      failure: string
    }
    update: {
      success: string
      failure: string
    }
    rename: {
      label: string
      of: (values: { name: string }) => string
      field: string
      save: string
      cancel: string
    }
    delete: {
      title: string
      label: string
      confirm: (values: { name: string }) => string
      success: string
      failure: string
    }
    moveFolder: {
      label: string
      title: (values: { name: string }) => string
    }
    moveFiles: {
      title: (values: { count: number }) => string
      success: (values: { count: number; folder: string }) => string
      successToRoot: (values: { count: number }) => string
      failure: string
    }
    destination: {
      label: string
      confirm: string
      isHere: string
      search: string
      clearSearch: string
      found: (values: { count: number }) => string
      noneFound: string
    }
  }
  gallery: {
    page: string
    heading: string
    subtitle: string
    loading: string
    stats: {
      label: string
      total: string
      images: string
      videos: string
      storage: string
      showingAll: string
      activeFilter: string
    }
    search: {
      label: string
      placeholder: string
      clear: string
    }
    suggestions: {
      label: string
      chosen: string
      groups: {
        place: string
        tag: string
        camera: string
        year: string
        date: string
        uploader: string
      }
      showAll: (values: { count: number }) => string
      tag: string
      uploader: string
      remove: {
        place: (values: { label: string }) => string
        area: (values: { label: string }) => string
        tag: (values: { label: string }) => string
        camera: (values: { label: string }) => string
        year: (values: { label: string }) => string
        date: (values: { label: string }) => string
        uploader: (values: { label: string }) => string
        other: (values: { label: string }) => string
      }
    }
    type: {
      label: string
      all: string
      image: string
      video: string
      showAll: string
    }
    sort: {
      label: string
      fields: {
        name: string
        date: string
        added: string
        size: string
        type: string
        location: string
      }
      reverse: {
        date: {
          desc: string
          asc: string
        }
        added: {
          desc: string
          asc: string
        }
        name: {
          asc: string
          desc: string
        }
        size: {
          asc: string
          desc: string
        }
        type: {
          asc: string
          desc: string
        }
        location: {
          asc: string
          desc: string
        }
      }
    }
    view: {
      label: string
      grid: string
      proportions: string
      list: string
      names: string
      smaller: string
      larger: string
    }
    filters: {
      open: string
      close: string
    }
    recent: string
    allFiles: string
    onMap: string
    favourites: {
      heading: string
      of: (values: { name: string }) => string
      only: string
      none: {
        title: string
        text: string
      }
      noneOfOther: {
        title: string
        text: string
      }
      show: string
    }
    memory: (values: { date: string }) => string
    added: (values: { when: string }) => string
    newSince: (values: { moment: string }) => string
    searchWords: {
      types: {
        image: string
        video: string
      }
      text: (values: { text: string }) => string
      noFolder: string
      folder: (values: { name: string }) => string
      folderGone: string
      bounds: string
      tag: (values: { name: string }) => string
      tagGone: string
      lovedBy: (values: { name: string }) => string
      lovedByYou: string
      lovedByGone: string
      addedBy: (values: { name: string }) => string
      addedByYou: string
      addedByGone: string
      camera: (values: { name: string }) => string
      undated: string
    }
    inAlbum: string
    inFolder: (values: { folder: string }) => string
    filesBelow: (values: { below: number }) => string
    filesAndBelow: (values: { count: number; below: number }) => string
    banner: {
      save: string
      found: (values: { kind: 'image' | 'video' | 'other'; count: number }) => string
      foundFor: (values: { kind: 'image' | 'video' | 'other'; count: number; search: string }) => string
      notCounted: string
      clear: string
    }
    firstRun: {
      title: string
      text: string
      add: {
        title: string
        text: string
      }
      invite: {
        title: string
        address: string
        byAdmin: string
        byMember: (values: { admin: string }) => string
      }
      bring: {
        title: string
        command: string
        text: string
      }
      copy: string
      copied: string
    }
    emptyFolder: {
      title: string
      text: string
      out: string
    }
    allInFolders: {
      title: string
      text: string
    }
    nothingFound: {
      title: string
      search: (values: { search: string }) => string
      type: string
      filters: string
      showDate: (values: { date: string }) => string
      showUndated: string
    }
    noSuchFolder: {
      title: string
      text: string
    }
    failed: {
      title: string
      retry: string
    }
    someMissing: string
    grid: string
    columns: {
      name: string
      date: string
      size: string
      type: string
      location: string
    }
    kinds: {
      image: string
      video: string
      live: string
    }
    live: string
    noPreview: string
    percent: (values: { percent: number }) => string
    preparing: string
    preparingPercent: (values: { percent: number }) => string
    couldNotPrepare: string
    missing: string
    partlyDamaged: string
    position: (values: { position: number; total: number }) => string
    scrubber: string
    unknownDay: string
    undated: {
      heading: string
      remove: string
      oneByOne: string
      none: {
        title: string
        text: string
        show: string
      }
    }
    select: (values: { name: string }) => string
    selectDay: (values: { day: string }) => string
    more: (values: { name: string }) => string
    moreActions: string
    selected: (values: { count: number }) => string
    clearSelection: string
    bulk: string
    choosingFailed: string
    open: string
    rename: {
      label: string
      field: string
      success: string
      failure: string
    }
    share: string
    changePlace: string
    short: {
      move: string
      tag: string
      addToAlbum: string
      removeFromAlbum: string
      download: string
      share: string
    }
    move: string
    tag: string
    changeDate: string
    addToAlbum: string
    removeFromAlbum: string
    useAsCover: string
    moveEarlier: string
    moveLater: string
    note: string
    download: {
      inParts: string
      selection: string
      label: string
      success: string
      failure: string
      refused: (values: { status: string }) => string
    }
    rehash: {
      label: string
      hint: string
      title: (values: { count: number }) => string
      confirm: (values: { name: string }) => string
      confirmMany: (values: { count: number }) => string
      success: (values: { name: string }) => string
      failure: (values: { name: string }) => string
      failureUnnamed: string
      noAddress: string
      downloadFailed: (values: { status: string }) => string
      emptyBody: string
      progress: string
      done: (values: { done: number; total: number }) => string
      states: {
        waiting: string
        downloading: string
        hashing: string
        updating: string
        completed: string
        error: string
      }
    }
    delete: {
      label: string
      title: string
      confirm: (values: { name: string; days: number }) => string
      confirmForGood: (values: { name: string }) => string
      success: string
      failure: string
    }
    bulkDelete: {
      title: (values: { count: number }) => string
      confirm: (values: { count: number; days: number }) => string
      confirmForGood: (values: { count: number }) => string
      success: (values: { count: number }) => string
      failure: string
    }
    understood: {
      meaning: (values: { words: string; label: string }) => string
      remove: (values: { label: string }) => string
      asWords: (values: { words: string }) => string
      loved: (values: { name: string }) => string
      added: (values: { name: string }) => string
      onlyPlace: (values: { place: string }) => string
      onlyTag: (values: { tag: string }) => string
      phrases: {
        lovedBy: (values: { name: string }) => string
        by: (values: { name: string }) => string
        at: (values: { place: string }) => string
        tagged: (values: { tag: string }) => string
      }
      showWords: (values: { count: number; words: string }) => string
      together: string
      notTogether: string
      without: (values: { label: string; count: number }) => string
    }
  }
  'guest-uploads': {
    page: string
    heading: string
    headingOfAlbum: (values: { album: string }) => string
    subtitle: string
    subtitleOfAlbum: string
    rejectedSubtitle: (values: { days: number }) => string
    tabs: {
      waiting: string
      rejected: string
    }
    tabsLabel: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    empty: {
      waiting: {
        title: string
        text: string
      }
      rejected: {
        title: string
        text: string
      }
      back: string
      albums: string
    }
    hint: string
    keys: string
    grid: string
    selectAll: string
    selectNone: string
    clear: string
    bar: string
    selected: (values: { count: number }) => string
    accept: string
    acceptOne: string
    reject: string
    rejectOne: string
    putBack: string
    accepted: (values: { count: number }) => string
    acceptedAllKnown: (values: { count: number }) => string
    acceptedSomeKnown: (values: { count: number; known: number }) => string
    acceptFailure: string
    noneAccepted: string
    rejected: (values: { count: number }) => string
    rejectFailure: string
    restored: (values: { count: number }) => string
    restoreFailure: string
    from: (values: { guest: string }) => string
    to: (values: { album: string }) => string
    toDeletedAlbum: string
    albumDeleted: string
    enlarge: (values: { name: string }) => string
    preparing: string
    livePhoto: string
    noPicture: string
    previous: string
    next: string
    close: string
    waiting: (values: { count: number }) => string
    review: string
    reviewAll: string
    reviewOf: (values: { album: string; count: number }) => string
  }
  hearts: {
    favourites: string
    add: string
    remove: string
    addFile: (values: { name: string }) => string
    removeFile: (values: { name: string }) => string
    removed: string
    addedMany: (values: { count: number }) => string
    removedMany: (values: { count: number }) => string
    addFailed: string
    removeFailed: string
    you: string
    lovedByCount: (values: { count: number }) => string
    lovedBy: (values: { names: string }) => string
  }
  iphone: {
    page: string
    intro: string
    options: {
      heading: string
      text: string
    }
    live: {
      heading: string
      text: string
    }
    originals: {
      heading: string
      text: string
    }
    share: {
      heading: string
      text: string
    }
  }
  keep: {
    keep: string
    remove: string
    question: {
      title: (values: { name: string }) => string
      text: (values: { count: number; size: string }) => string
      confirm: string
    }
    noRoom: (values: { size: string }) => string
    loading: (values: { done: number; files: number }) => string
    kept: (values: { size: string }) => string
    keptWithout: (values: { size: string; count: number }) => string
    full: (values: { name: string }) => string
    fullText: string
    fullLine: (values: { done: number; files: number }) => string
    list: string
    removeNamed: (values: { name: string }) => string
    removed: (values: { name: string }) => string
  }
  kit: {
    unreachable: string
    unexplained: string
    unreadable: string
    contact: string
    admin: string
    noFolder: string
    foldersFailed: string
    undo: string
    canUndo: (values: { question: string }) => string
    undone: string
    undoing: (values: { done: number; total: number }) => string
    doing: (values: { done: number; total: number }) => string
    doneInPart: (values: { done: number; total: number }) => string
    doneInPartUnknown: (values: { done: number; total: number; unknown: number }) => string
    doneInPartWithoutUndo: (values: { done: number; total: number; unknown: number }) => string
    undoneExcept: (values: { count: number }) => string
    undoneInPart: (values: { changed: number; unfinished: number }) => string
    undoFailed: string
    photos: (values: { count: number }) => string
    videos: (values: { count: number }) => string
    files: (values: { count: number }) => string
    photosAndVideos: (values: { photos: number; videos: number }) => string
    noPhotos: string
  }
  links: {
    share: {
      title: (values: { count: number }) => string
      who: (values: { count: number }) => string
      titleOfAlbum: (values: { title: string }) => string
      whoOfAlbum: string
      titleOfUploadLink: (values: { title: string }) => string
      whoOfUploadLink: string
      capacity: string
      capacityChoice: (values: { photos: number; gigabytes: number }) => string
      name: string
      namePlaceholder: string
      expiry: string
      expiries: {
        '1': string
        '7': string
        '30': string
        '365': string
        never: string
      }
      password: string
      passwordHint: (values: { count: number }) => string
      originals: string
      originalsHint: string
      captions: string
      captionsHint: string
      cancel: string
      make: string
      failure: string
      done: string
      withPassword: string
      send: string
      sendFailure: string
      manage: string
      close: string
    }
    quick: {
      photo: string
      video: string
      link: string
      ready: string
      sendNow: string
      failed: string
      copied: string
      sent: string
      until: (values: { date: string }) => string
      endless: string
      options: string
    }
    address: {
      address: string
      copy: string
      copied: string
      qr: string
      qrAlternative: (values: { title: string }) => string
      savePicture: string
      fileName: (values: { title: string }) => string
      send: string
    }
    show: {
      label: string
      labelOf: (values: { title: string }) => string
      title: string
      copy: string
      copyOf: (values: { title: string }) => string
      qr: string
      qrOf: (values: { title: string }) => string
      failure: string
      notStored: string
      otherKey: string
      offer: string
      makeNew: string
    }
    page: string
    subtitle: string
    subtitleOfAll: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    empty: {
      title: string
      text: string
      forViewers: string
      back: string
    }
    nameAndMore: (values: { name: string; count: number }) => string
    album: string
    uploads: string
    sent: (values: { count: number }) => string
    waiting: (values: { count: number }) => string
    albumDeleted: string
    madeBy: (values: { name: string; date: string }) => string
    made: (values: { date: string }) => string
    until: (values: { date: string }) => string
    endless: string
    expired: string
    locked: string
    originals: string
    captions: string
    views: (values: { count: number }) => string
    edit: {
      label: string
      labelOf: (values: { title: string }) => string
      title: string
      who: string
      password: string
      removePassword: string
      save: string
      success: string
      failure: string
      passwordKept: string
    }
    end: string
    endOf: (values: { title: string }) => string
    ended: string
    endFailure: string
    guest: {
      page: string
      headings: {
        several: string
        image: string
        video: string
      }
      until: (values: { date: string }) => string
      loading: string
      failed: {
        title: string
        retry: string
      }
      gone: {
        title: string
        text: string
      }
      empty: {
        title: string
        text: string
      }
      password: {
        title: string
        again: string
        label: string
        open: string
      }
      alternatives: {
        image: (values: { date: string }) => string
        video: (values: { date: string }) => string
      }
      slideshow: string
      download: string
      downloadAll: string
      downloadOriginals: string
      preparing: (values: { count: number }) => string
    }
  }
  mail: {
    footer: {
      digest: (values: { library: string }) => string
      settings: string
      unsubscribe: string
      signIn: string
      admin: (values: { library: string }) => string
    }
    digest: {
      subject: (values: { library: string; what: string }) => string
      trySubject: (values: { library: string }) => string
      heading: (values: { day: string }) => string
      tryText: string
      tryNothing: string
      open: (values: { library: string }) => string
      files: (values: { kind: 'photos' | 'videos' | 'other'; count: number }) => string
      notes: (values: { count: number }) => string
      hearts: (values: { count: number }) => string
      albums: (values: { count: number }) => string
      added: (values: { name: string; kind: 'photos' | 'videos' | 'other'; count: number }) => string
      picture: (values: { number: string }) => string
      moreUploaders: (values: { count: number }) => string
      notesHeading: string
      noteOnPhoto: (values: { name: string; kind: 'photo' | 'other'; text: string }) => string
      noteOnCaption: (values: { name: string; caption: string; text: string }) => string
      noteOnAlbum: (values: { name: string; album: string; text: string }) => string
      moreNotes: (values: { count: number }) => string
      heartsHeading: string
      loves: (values: { name: string; count: number }) => string
      moreHearts: (values: { count: number }) => string
      albumsHeading: string
      album: (values: { name: string; album: string }) => string
      moreAlbums: (values: { count: number }) => string
      memoriesHeading: string
      memory: (values: { day: string; count: number }) => string
      memoryAt: (values: { day: string; place: string; count: number }) => string
    }
    welcome: {
      subject: (values: { library: string }) => string
      heading: string
      text: (values: { library: string }) => string
      open: (values: { library: string }) => string
    }
    invitation: {
      subject: (values: { library: string }) => string
      heading: string
      text: (values: { name: string; library: string }) => string
      approved: string
      asksFirst: (values: { name: string }) => string
      open: string
      until: (values: { day: string }) => string
    }
    request: {
      subject: (values: { library: string }) => string
      heading: string
      text: string
      name: (values: { name: string }) => string
      email: (values: { email: string }) => string
      open: string
    }
    alert: {
      subject: (values: { library: string }) => string
      heading: string
      backup: (values: { day: string }) => string
      noBackup: string
      disk: (values: { free: string; total: string }) => string
      damaged: (values: { count: number }) => string
      open: string
    }
    unsubscribe: {
      title: string
      ask: (values: { library: string }) => string
      explain: string
      act: string
      done: string
      incomplete: string
      open: (values: { library: string }) => string
    }
  }
  map: {
    label: string
    pointLabel: string
    role: string
    zoomIn: string
    zoomOut: string
    degrees: {
      north: (values: { degrees: number }) => string
      south: (values: { degrees: number }) => string
      east: (values: { degrees: number }) => string
      west: (values: { degrees: number }) => string
    }
  }
  media: {
    incomplete: string
    endMissing: string
    onlyPart: (values: { there: string; whole: string }) => string
    directions: {
      north: (values: { degrees: string }) => string
      south: (values: { degrees: string }) => string
      east: (values: { degrees: string }) => string
      west: (values: { degrees: string }) => string
    }
  }
  memories: {
    place: string
    heading: (values: { day: string }) => string
    subtitle: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    ago: (values: { years: number }) => string
    top: {
      label: string
      added: (values: { kind: 'photo' | 'video' | 'other'; name: string; count: number }) => string
      memoryIn: (values: { years: number; place: string }) => string
      guests: (values: { count: number }) => string
      hearts: (values: { name: string; count: number; kind: 'photo' | 'video' | 'other' }) => string
      open: (values: { name: string }) => string
      putAway: (values: { name: string }) => string
      putAwayShort: string
      putAwayDone: string
      putAwayFailed: string
    }
    day: {
      month: string
      day: string
      previous: string
      next: string
      today: string
    }
    none: {
      title: (values: { day: string }) => string
      nearest: (values: { day: string; count: number }) => string
      show: (values: { day: string }) => string
      text: string
    }
    all: (values: { count: number }) => string
    hideDay: {
      label: string
      inMenu: (values: { date: string }) => string
      of: (values: { date: string }) => string
      success: (values: { date: string }) => string
    }
    hidePhoto: {
      label: (values: { name: string }) => string
      inMenu: string
      success: string
    }
    hideFailed: string
    hidden: {
      heading: string
      none: string
      text: string
      show: string
      showOf: (values: { name: string }) => string
      shown: string
      failed: string
    }
    story: {
      loading: string
      failed: string
      retry: string
      empty: string
      position: (values: { index: number; total: number }) => string
      close: string
      previous: string
      next: string
      pause: string
      play: string
      showAll: string
      photo: string
      video: string
    }
    playDay: string
    playDayOf: (values: { name: string }) => string
    new: {
      heading: string
      recent: string
    }
  }
  mentions: {
    suggestions: string
    found: (values: { count: number }) => string
  }
  notes: {
    retry: string
    placeholder: string
    save: string
    cancel: string
    edited: string
    unsaved: string
    notes: {
      heading: string
      none: string
      loadFailed: string
      earlier: string
      new: string
      newLabel: string
      field: string
      add: {
        success: string
        failure: string
      }
      edit: {
        label: (values: { author: string }) => string
        success: string
        failure: string
      }
      delete: {
        label: (values: { author: string }) => string
        title: string
        button: string
        confirm: string
        success: string
        failure: string
      }
    }
    comments: {
      heading: string
      none: string
      loadFailed: string
      earlier: string
      new: string
      newLabel: string
      field: string
      add: {
        success: string
        failure: string
      }
      edit: {
        label: (values: { author: string }) => string
        success: string
        failure: string
      }
      delete: {
        label: (values: { author: string }) => string
        title: string
        button: string
        confirm: string
        success: string
        failure: string
      }
    }
  }
  notices: {
    fileDeleted: string
    albumDeleted: string
    note: {
      written: (values: { name: string; kind: 'photo' | 'video' | 'other' }) => string
      mention: (values: { name: string }) => string
      text: (values: { text: string }) => string
      deleted: string
    }
    tag: {
      one: (values: { name: string; kind: 'photo' | 'video' | 'other' }) => string
      several: (values: { name: string; count: number }) => string
      text: (values: { tag: string }) => string
    }
    album: {
      written: (values: { name: string }) => string
      mention: (values: { name: string }) => string
      text: (values: { album: string; text: string }) => string
      deleted: (values: { album: string }) => string
    }
    message: {
      written: (values: { name: string }) => string
      writtenIn: (values: { name: string; conversation: string }) => string
      mention: (values: { name: string }) => string
      mentionIn: (values: { name: string; conversation: string }) => string
      text: (values: { text: string }) => string
      files: string
      gone: string
    }
    memories: {
      title: (values: { count: number }) => string
      text: string
    }
    accessRequest: {
      title: (values: { name: string }) => string
      text: string
      answered: (values: { status: 'approved' | 'denied' | 'other'; name: string }) => string
    }
    welcome: {
      title: string
      text: (values: { library: string }) => string
    }
    hearts: {
      photos: (values: { others: number; name: string; second: string; files: number }) => string
      videos: (values: { others: number; name: string; second: string; files: number }) => string
      photosAndVideos: (values: { others: number; name: string; second: string; files: number }) => string
      text: (values: { files: number }) => string
      gone: string
      deleted: string
    }
    guests: {
      sent: (values: { others: number; name: string; second: string; kind: 'photo' | 'video' | 'other'; files: number }) => string
      sentTo: (values: { others: number; name: string; second: string; kind: 'photo' | 'video' | 'other'; files: number; album: string }) => string
      text: (values: { files: number }) => string
      gone: string
      removed: string
    }
    deleted: {
      title: (values: { name: string; kind: 'photo' | 'video' | 'other'; files: number }) => string
      text: (values: { files: number }) => string
      gone: (values: { name: string }) => string
      noneLeft: string
    }
  }
  notifications: {
    title: string
    titleWithUnread: (values: { unread: number }) => string
    close: string
    empty: string
    loading: string
    loadFailed: string
    retry: string
    kinds: {
      mention: string
      tag: string
      comment: string
      message: string
      other: string
    }
    unread: string
    markRead: string
    markReadFailed: string
    markAllRead: string
    allRead: {
      success: string
      failure: string
    }
    delete: string
    deleteFailed: string
    justNow: string
    minutesAgo: (values: { minutes: number }) => string
    hoursAgo: (values: { hours: number }) => string
    daysAgo: (values: { days: number }) => string
  }
  outbox: {
    waiting: string
    willBeSent: string
    discardNamed: (values: { what: string }) => string
    sent: (values: { count: number }) => string
    failed: {
      heart: string
      unheart: string
      note: (values: { text: string }) => string
      comment: (values: { text: string }) => string
      tag: (values: { text: string }) => string
      untag: (values: { text: string }) => string
      album: (values: { text: string }) => string
      message: (values: { text: string }) => string
    }
    inDraft: string
    names: {
      heart: (values: { count: number }) => string
      unheart: (values: { count: number }) => string
      note: (values: { text: string }) => string
      comment: (values: { text: string }) => string
      tag: (values: { text: string }) => string
      untag: (values: { text: string }) => string
      album: (values: { count: number; text: string }) => string
      message: (values: { text: string }) => string
      photo: string
      unknown: string
    }
    settings: {
      heading: string
    }
    leaving: (values: { count: number }) => string
  }
  'person-navigation': {
    people: string
  }
  person: {
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    unknown: {
      title: string
      text: string
      back: string
    }
    former: string
    settings: string
    all: (values: { count: number }) => string
    more: string
    uploads: {
      heading: string
      none: string
    }
    hearts: {
      heading: string
      none: string
    }
    notes: {
      heading: string
      none: string
      on: string
    }
    comments: {
      heading: string
      on: string
    }
    people: {
      page: string
      subtitle: string
      loadFailed: string
      failed: {
        title: string
        retry: string
      }
      you: string
      everybody: string
      photos: (values: { count: number }) => string
      favourites: (values: { count: number }) => string
      notes: (values: { count: number }) => string
      nothing: string
      noPhotos: string
      former: {
        heading: string
        text: string
      }
    }
  }
  'places-navigation': {
    map: string
    places: string
  }
  places: {
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    map: {
      page: string
      subtitle: string
      showAll: string
      photos: string
      close: string
      showInSight: string
      credits: string
      empty: {
        title: string
        text: string
        textForEditors: string
        toPhotos: string
      }
      emptyHere: {
        title: string
        text: string
        all: string
      }
    }
    places: {
      page: string
      subtitle: string
      toMap: string
      loadFailed: string
      townsOf: (values: { country: string }) => string
      more: (values: { count: number }) => string
    }
    correct: {
      title: (values: { count: number }) => string
      search: string
      clearSearch: string
      found: string
      nothing: string
      searchFailed: string
      hint: string
      cancel: string
      camera: string
      clear: string
      save: string
      unchanged: string
      changed: (values: { count: number }) => string
      changedTo: (values: { count: number; place: string }) => string
      failure: string
    }
    inSight: {
      heading: string
      unnamed: string
      andElsewhere: (values: { place: string }) => string
      summary: (values: { places: number; photos: number }) => string
      more: (values: { count: number }) => string
    }
  }
  push: {
    mentions: string
    messages: string
    notes: string
    hearts: string
    photos: (values: { count: number }) => string
    memories: string
    requests: string
    gathered: (values: { count: number }) => string
    manyGathered: (values: { count: number }) => string
    addedBy: (values: { names: string }) => string
  }
  reasons: {
    cancelled: string
    unreadable: string
    tooShort: string
    noPixels: string
    noEnd: string
    notDeveloped: string
    unsupported: string
    milliseconds: (values: { count: string }) => string
    seconds: (values: { count: string }) => string
    minutes: (values: { count: string }) => string
    memory: (values: { count: string }) => string
    output: (values: { count: string }) => string
    stalled: string
    tooManyPixels: (values: { count: string }) => string
    tooManyMegabytes: (values: { count: string }) => string
    scans: (values: { count: string }) => string
    segments: (values: { count: string }) => string
    pages: (values: { count: string }) => string
    fields: (values: { count: string }) => string
    frames: (values: { count: string }) => string
    blocks: (values: { count: string }) => string
    chunks: (values: { count: string }) => string
    animationTooLarge: string
    animationTooLong: string
    decoderMemory: string
    decoderAnswer: string
    decoderNotStarted: string
    decoderEnded: string
    rawEnded: string
    rawNotWritten: string
    rawNotStarted: string
    rawPreview: string
    metadataTooSlow: string
    diskFull: string
    notCopied: string
    notProcessed: string
    onlySound: string
    videoTooLarge: string
    videoNoPicture: string
    videoProtected: string
    videoDisk: string
    videoNotStarted: string
    pictureLost: string
    soundLost: string
    read: string
    readBrokeDown: string
    readDiskFull: string
    readNoMemory: string
    readNotWorking: string
    readNoVideo: string
    readCutOff: string
    readUnknownFormat: string
    readNoEncoder: string
    readEmpty: string
    readDamaged: string
    converted: string
    convertedBrokeDown: string
    convertedDiskFull: string
    convertedNoMemory: string
    convertedNotWorking: string
    convertedNoVideo: string
    convertedCutOff: string
    convertedUnknownFormat: string
    convertedNoEncoder: string
    convertedTooLarge: string
    convertedEmpty: string
    convertedDamaged: string
    shown: string
    shownBrokeDown: string
    shownDiskFull: string
    shownNoMemory: string
    shownNotWorking: string
    shownNoVideo: string
    shownCutOff: string
    shownUnknownFormat: string
    shownNoEncoder: string
    shownTooLarge: string
    shownEmpty: string
    shownDamaged: string
    noFfmpeg: string
    compatibleAlready: string
    serverEnded: string
  }
  'server-pages': {
    app: {
      description: string
      upload: string
      memories: string
      chat: string
    }
    formerMember: string
    shared: {
      title: string
    }
    demo: {
      title: (values: { library: string }) => string
      notice: string
      noticeText: string
      heading: string
      text: (values: { library: string }) => string
      cancel: string
      people: {
        admin: string
        brother: string
        grandma: string
        cousin: string
        friend: string
      }
      tooLarge: string
    }
  }
  settings: {
    takeAlong: {
      heading: string
      what: string
      open: string
    }
    page: string
    heading: string
    subtitle: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    saved: string
    saveFailed: string
    name: {
      heading: string
      label: string
      save: string
      missing: string
      taken: (values: { name: string }) => string
      back: (values: { name: string }) => string
    }
    picture: {
      choose: string
      remove: string
      saved: string
      failed: string
      unreadable: string
    }
    language: {
      heading: string
      label: string
      system: string
    }
    notifications: {
      heading: string
      kinds: {
        mention: string
        comment: string
        tag: string
        message: string
        hearts: string
        deleted: string
        guests: string
      }
      optional: {
        memories: string
      }
    }
    mail: {
      heading: string
      label: string
      choices: {
        off: string
        daily: string
        weekly: string
      }
      what: string
      leaves: (values: { address: string }) => string
      try: string
      tried: (values: { address: string }) => string
      tryFailed: string
    }
    start: {
      heading: string
      view: string
      views: {
        squares: string
        proportions: string
        list: string
      }
      asBefore: string
      sort: string
      sorts: {
        date: string
        added: string
        name: string
        size: string
        type: string
        location: string
      }
    }
    push: string
    onThisDevice: string
    appPasswords: {
      heading: string
      intro: string
      none: string
      scopes: {
        read: string
        upload: string
      }
      made: (values: { day: string }) => string
      lastUsed: (values: { moment: string; address: string }) => string
      neverUsed: string
      make: string
      title: string
      name: string
      namePlaceholder: string
      nameMissing: string
      scope: string
      choices: {
        read: string
        upload: string
      }
      explained: {
        read: string
        upload: string
      }
      create: string
      cancel: string
      createFailed: string
      ready: {
        title: (values: { name: string }) => string
        text: string
        user: (values: { username: string }) => string
        label: string
        copy: string
        copied: string
        done: string
      }
      end: {
        label: string
        title: (values: { name: string }) => string
        text: string
        success: string
        failure: string
      }
    }
    devices: {
      heading: string
      name: (values: { browser: string; system: string }) => string
      unknown: string
      current: string
      lastUsed: (values: { moment: string }) => string
      end: {
        label: string
        success: string
        failure: string
      }
      everywhere: {
        label: string
        title: string
        text: string
        failure: string
      }
    }
    close: {
      heading: string
      text: string
      open: string
      title: string
      download: string
      stays: string
      ends: string
      again: string
      name: string
      keepName: (values: { name: string }) => string
      removeName: string
      confirm: (values: { username: string }) => string
      label: string
      cancel: string
      done: string
      failure: string
    }
  }
  tags: {
    heading: string
    none: string
    loadFailed: string
    retry: string
    field: string
    placeholder: string
    add: {
      label: string
      success: string
      failure: string
    }
    remove: {
      label: (values: { tag: string }) => string
      success: string
      failure: string
    }
    search: (values: { tag: string }) => string
    suggestions: string
    dialog: {
      title: (values: { count: number }) => string
      cancel: string
    }
  }
  'trash-navigation': {
    recentlyDeleted: string
  }
  trash: {
    page: string
    heading: string
    subtitle: {
      own: (values: { days: number }) => string
      all: (values: { days: number }) => string
      byOthers: (values: { days: number }) => string
    }
    showAll: string
    loading: string
    loadFailed: string
    failed: {
      title: string
      retry: string
    }
    empty: {
      title: string
      text: string
      back: string
    }
    grid: string
    lastDay: string
    daysLeft: (values: { days: number }) => string
    deletedBy: (values: { name: string }) => string
    howToRestore: string
    selectAll: string
    selectNone: string
    enlarge: (values: { name: string }) => string
    close: string
    clear: string
    bar: string
    selected: (values: { count: number }) => string
    restore: string
    restoring: (values: { done: number; total: number }) => string
    restored: (values: { count: number }) => string
    restoredExcept: (values: { count: number; missed: number }) => string
    restoredInPart: (values: { count: number; unfinished: number }) => string
    restoreFailed: string
    selectFailed: string
  }
  'upload-guests': {
    page: string
    heading: string
    intro: string
    until: (values: { date: string }) => string
    name: {
      label: string
      hint: string
      go: string
      failure: string
    }
    hello: (values: { name: string }) => string
    rename: string
    drop: {
      title: string
      touch: string
      more: string
      now: string
    }
    originals: string
    sending: (values: { done: number; total: number }) => string
    keepOpen: string
    offline: string
    interrupted: string
    skipped: (values: { count: number }) => string
    ended: string
    allSent: (values: { count: number }) => string
    incomplete: string
    failedCount: (values: { count: number }) => string
    retry: string
    failed: string
    clipRefused: (values: { clip: string }) => string
    sessionEnded: string
    sent: {
      heading: (values: { count: number }) => string
      headingOfMore: (values: { count: number }) => string
      more: string
    }
  }
  'upload-prepare': {
    errors: {
      notAnImage: string
      unreadableImage: string
      unreadableVideo: string
      transcoding: (values: { reason: string }) => string
      noProgress: string
      notLoaded: string
    }
    leftToServer: {
      noCanvas: string
      noBlob: string
      changed: string
      unknownPicture: string
      undecodable: string
      colours: string
      tooLarge: string
      brokenDown: string
      unknownVideo: string
      unknownSound: string
      highDynamicRange: string
      noEncoder: string
      noSuchEncoder: string
      noDecoder: string
      pictureLost: string
      soundLost: string
      partLost: string
      tooSlow: string
      silentEnd: string
    }
  }
  upload: {
    title: string
    close: string
    closeAndContinue: string
    drop: {
      title: string
      touch: string
      text: string
      desktop: string
      iphone: string
      now: string
      more: string
    }
    share: {
      title: string
      text: string
      leftOut: (values: { count: number }) => string
    }
    invalidFile: string
    invalidType: string
    emptyFile: string
    destination: {
      label: string
      root: string
    }
    details: string
    keepStructure: {
      label: string
      hint: string
    }
    processing: {
      label: string
      client: {
        label: string
        hint: string
      }
      server: {
        label: string
        hint: string
      }
    }
    summary: {
      label: string
      total: string
      ready: string
      duplicates: string
      uploaded: string
    }
    insights: {
      title: string
      optimal: string
      small: string
      large: string
      batch: string
      size: (values: { megabytes: string }) => string
      note: string
    }
    list: string
    status: {
      pending: string
      processing: string
      transcoding: (values: { percent: number }) => string
      extracting: string
      hashing: string
      hashingInPart: (values: { percent: number }) => string
      checking: string
      uploading: (values: { percent: number }) => string
      success: string
    }
    waiting: string
    notInspected: string
    duplicate: {
      library: (values: { name: string }) => string
      incomplete: string
      selection: (values: { name: string }) => string
    }
    livePhoto: string
    onlyClipIsNew: string
    clipIsSeparate: (values: { clip: string }) => string
    remove: (values: { name: string }) => string
    retryOf: (values: { name: string }) => string
    retryAll: string
    progressOf: (values: { name: string }) => string
    errors: {
      process: string
      upload: string
      transcode: (values: { reason: string }) => string
      hash: (values: { reason: string }) => string
      check: string
      server: string
      unreadable: string
    }
    toasts: {
      allDone: (values: { count: number }) => string
      someFailed: (values: { done: number; failed: number }) => string
      allFailed: (values: { count: number }) => string
      broken: string
      incomplete: (values: { count: number }) => string
      uploaded: string
      show: string
      convert: (values: { name: string; reason: string }) => string
      copied: string
      copyFailed: string
    }
    footer: {
      processed: (values: { done: number; total: number }) => string
      processing: (values: { count: number }) => string
      duplicatesSkipped: (values: { count: number }) => string
      duplicatesToSkip: (values: { count: number }) => string
      ready: (values: { count: number }) => string
      cancel: string
      done: string
      upload: (values: { count: number }) => string
      uploading: string
    }
    overall: {
      label: string
      toPlaces: (values: { count: number }) => string
      toFolder: (values: { path: string }) => string
      toLibrary: string
      percent: (values: { percent: number }) => string
      lessThanAMinute: string
      minutes: (values: { count: number }) => string
      hours: (values: { count: number }) => string
      announce: (values: { percent: number; total: number }) => string
      checked: (values: { ready: number; duplicates: number }) => string
      finished: (values: { uploaded: number; duplicates: number; failed: number; rejected: number; incomplete: number }) => string
    }
    pill: {
      open: string
      uploading: (values: { current: number; total: number }) => string
      finished: (values: { count: number }) => string
      alreadyThere: string
      failed: (values: { count: number }) => string
      rejected: (values: { count: number }) => string
      incomplete: (values: { count: number }) => string
      unfinished: (values: { count: number }) => string
      chosen: (values: { count: number }) => string
      dismiss: string
    }
    receipt: {
      title: string
      stored: (values: { count: number }) => string
      confirmed: string
      unconfirmed: (values: { count: number }) => string
      duplicates: (values: { count: number }) => string
      failed: (values: { count: number }) => string
      incomplete: (values: { count: number }) => string
      keepOriginal: (values: { count: number }) => string
      rejected: (values: { count: number }) => string
      more: (values: { count: number }) => string
      copy: string
      results: {
        stored: string
        duplicate: string
        incomplete: string
        failed: string
        rejected: string
      }
    }
    unfinished: {
      title: (values: { count: number }) => string
      text: string
      withHandles: string
      namesAndMore: (values: { names: string; count: number }) => string
      resume: string
      chooseAgain: string
      discard: string
    }
  }
  viewer: {
    close: string
    previous: string
    next: string
    loading: string
    position: (values: { position: number; total: number }) => string
    notAvailable: string
    retry: string
    gone: string
    notShown: string
    smallCopy: string
    couldNotPrepare: string
    preparing: {
      plain: string
      percent: (values: { percent: number }) => string
    }
    progress: string
    willAppear: string
    downloadOriginal: string
    video: {
      converting: {
        plain: string
        percent: (values: { percent: number }) => string
      }
      notPlayed: string
      preparingVersion: {
        plain: string
        percent: (values: { percent: number }) => string
      }
      whyVersion: string
      versionFailed: string
    }
    animation: {
      play: string
      stop: string
    }
    live: {
      label: string
      hint: string
    }
    tools: string
    zoomIn: string
    zoomOut: string
    zoomLevel: (values: { scale: number }) => string
    rotate: string
    saveRotation: {
      save: string
      done: string
      failure: string
    }
    caption: {
      label: string
      add: string
      edit: string
      placeholder: string
      saved: string
      removed: string
      failed: string
    }
    fullscreen: {
      enter: string
      leave: string
    }
    more: string
    moreShort: string
    download: string
    rename: string
    move: string
    share: string
    rehash: string
    delete: string
    slideshow: {
      start: string
      stop: string
      every: string
      seconds: (values: { seconds: number }) => string
      short: (values: { seconds: number }) => string
      interval: (values: { seconds: number }) => string
      movement: string
      still: string
      slowZoom: string
    }
    panel: string
    showPanel: string
    hidePanel: string
    details: {
      heading: string
      missing: string
      partlyDamaged: {
        image: string
        video: string
      }
      firstFrameOnly: string
      incomplete: string
      fileName: string
      captionFromPhoto: string
      taken: string
      date: string
      dateFrom: {
        sidecar: string
        metadata: string
        name: string
        modified: string
        file: string
        person: string
      }
      changeDate: string
      corrected: (values: { moment: string }) => string
      correctedBy: (values: { name: string; moment: string }) => string
      found: {
        person: (values: { date: string }) => string
        sidecar: (values: { date: string }) => string
        metadata: (values: { date: string }) => string
        name: (values: { date: string }) => string
        modified: (values: { date: string }) => string
        file: (values: { date: string }) => string
      }
      foundNowhere: string
      undo: {
        all: (values: { count: number }) => string
        allUncounted: string
        found: {
          person: string
          sidecar: string
          metadata: string
          name: string
          modified: string
          file: string
        }
        cameraPlace: string
        done: {
          date: (values: { count: number }) => string
          place: (values: { count: number }) => string
          caption: string
          other: (values: { count: number }) => string
        }
        others: string
        change: {
          date: (values: { moment: string }) => string
          place: (values: { moment: string }) => string
          caption: (values: { moment: string }) => string
          move: (values: { moment: string }) => string
          rotate: (values: { moment: string }) => string
          tag: (values: { tag: string; moment: string }) => string
          untag: (values: { tag: string; moment: string }) => string
          other: (values: { moment: string }) => string
        }
        failed: string
      }
      doubtful: (values: { date: string }) => string
      size: string
      format: string
      dimensions: string
      duration: string
      camera: string
      exposure: string
      flash: string
      place: string
      noPlace: string
      changePlace: string
      placeBy: (values: { name: string; moment: string }) => string
      cameraPlace: (values: { place: string }) => string
      uploaded: string
      sentBy: string
      guest: string
      accepted: string
      by: string
      folder: string
      move: string
      moveFrom: (values: { folder: string }) => string
      megapixels: (values: { count: number }) => string
      map: (values: { place: string }) => string
    }
  }
  warnings: {
    noFfmpeg: string
    ffmpegEncoders: string
    noLibRaw: string
    noExiftool: string
    unconfined: (values: { problem: string }) => string
    partlyConfined: (values: { problem: string }) => string
    sandboxOff: string
    needsLinux: string
    oldKernel: string
    noBubblewrap: string
    bubblewrapFails: (values: { failure: string }) => string
  }
}
