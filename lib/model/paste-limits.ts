/** Of a text in an address, in characters: servers and proxies refuse longer addresses. */
export const longestInAddress = 4_000;

/** Of a text that is sent as a body, in bytes. */
export const largestPaste = 64 * 1_024;
