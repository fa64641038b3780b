/** The result of providing a SYCL runtime. */
export type Outcome =
  | { readonly state: 'ready'; readonly library: string }
  | { readonly state: 'left out'; readonly reason: string; readonly remedy: string }
  | { readonly state: 'failed'; readonly reason: string; readonly remedy: string };
