package postgres

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
)

// certificate makes a certificate for an address, signed by itself, and its key, as PEM.
func certificate(t *testing.T, ip string) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: ip}, IPAddresses: []net.IP{net.ParseIP(ip)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// TestCertificateIsChecked checks sslmode=verify-full: only a server with a trusted certificate for its own name
// receives the password.
func TestCertificateIsChecked(t *testing.T) {
	cert, key := certificate(t, "127.0.0.1")
	server := pgtest.Start(t, pgtest.Options{TCP: true, Certificate: cert, Key: key})
	other, _ := certificate(t, "127.0.0.1")
	dir := t.TempDir()
	for name, text := range map[string][]byte{"known": cert, "other": other} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, host, root string
		ok               bool
	}{
		{"known", "127.0.0.1", "known", true},
		{"unknown", "127.0.0.1", "other", false},
		{"another's", "localhost", "known", false},
	} {
		u, err := url.Parse(server.TCP("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		u.Host = net.JoinHostPort(c.host, u.Port())
		u.RawQuery = url.Values{"sslmode": {"verify-full"}, "sslrootcert": {filepath.Join(dir, c.root)}}.Encode()
		s, err := Open(t.Context(), Options{URL: u.String()})
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: Open = %v, want success %v", c.name, err, c.ok)
		}
		if err != nil {
			continue
		}
		used, err := sql.ReadRow(t.Context(), s, sql.Value[bool],
			`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)
		if err != nil || !used {
			t.Errorf("%s: TLS used %v, %v", c.name, used, err)
		}
		_ = s.Close()
	}
}
