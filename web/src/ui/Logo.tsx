/** Same drawing as the favicon. */
export function Logo({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="6" fill="#8a4531" />
      <path d="M6 0H7.5V32H6A6 6 0 0 1 0 26V6A6 6 0 0 1 6 0Z" fill="#6b3323" />
      <ellipse cx="19.5" cy="16" rx="8.5" ry="11" fill="#fbf6ec" />
      <path
        d="M19.5 23.5V14M19.5 19.5C16 19.5 14 17.6 13.8 14.4C17.2 14.5 19.3 16.3 19.5 19.5ZM19.5 16C19.6 12.6 21.4 10.3 25 9.6C25.2 13.4 23.2 15.8 19.5 16Z"
        fill="#8a4531"
        stroke="#8a4531"
        strokeWidth="1.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
