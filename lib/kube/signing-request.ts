/** A well-formed certificate signing request for a key that nobody kept. */
export const signingRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHTMHwCAQAwGjEYMBYGA1UEAwwPY2VydG1lZGljLnByb2JlMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEwcqQxhpOByYRQbjV4OItGTNlO1KiPBWXwkdsKWI8XFKJ
Yd/S0yAPemeqSGRkPnJGHnqdIM1aIpnKnFjT8mIlh6AAMAoGCCqGSM49BAMCA0cA
MEQCIH3hgGHPI40PuRPvDi0LtLbnBZ5sv4xXLa/GJtt7ejTAAiAw8ILW8gKaGtCj
DISaW7QQPp/A2SX/2gkI6kveB9FogQ==
-----END CERTIFICATE REQUEST-----
`;
