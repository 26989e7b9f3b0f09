// Puts the remembered choice of light or dark on the page before anything is painted; src/kit/theme.ts writes it.
document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'system'
