/** Which interface a backend's arrays expose. */
export type Protocol = 'cuda' | 'sycl' | 'host';
