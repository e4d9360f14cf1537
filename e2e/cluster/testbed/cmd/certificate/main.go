// Command certificate makes one certificate, as JSON {"certificate", "key"} in PEM: self-signed, or signed by --issuer.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"net"
	"os"
	"strings"
	"time"
)

type pair struct {
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

func main() {
	name := flag.String("name", "test", "common name")
	hosts := flag.String("hosts", "", "DNS names and IP addresses, separated by commas")
	isCA := flag.Bool("ca", false, "may sign others")
	from := flag.Duration("from", -time.Hour, "begin of validity, from now")
	until := flag.Duration("until", 24*time.Hour, "end of validity, from now")
	issuer := flag.String("issuer", "", "the issuer, as this command prints one")
	flag.Parse()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	check(err)
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: *name},
		NotBefore:             time.Now().Add(*from),
		NotAfter:              time.Now().Add(*until),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  *isCA,
	}
	if *isCA {
		template.KeyUsage |= x509.KeyUsageCertSign
	} else {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	for _, host := range strings.FieldsFunc(*hosts, func(r rune) bool { return r == ',' }) {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	parent, signer := template, key
	if *issuer != "" {
		parent, signer = read(*issuer)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	check(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(pair{
		Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		Key:         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})),
	}))
}

func read(text string) (*x509.Certificate, *ecdsa.PrivateKey) {
	var issuer pair
	check(json.Unmarshal([]byte(text), &issuer))
	block, _ := pem.Decode([]byte(issuer.Certificate))
	certificate, err := x509.ParseCertificate(block.Bytes)
	check(err)
	block, _ = pem.Decode([]byte(issuer.Key))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	return certificate, key.(*ecdsa.PrivateKey)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
