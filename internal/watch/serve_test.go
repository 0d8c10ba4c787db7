package watch

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"
)

func get(t *testing.T, url string, header ...string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestServe(t *testing.T) {
	const token = "0123456789abcdef"
	for _, guarded := range []string{"", token} {
		access := Access{Address: "127.0.0.1:0", Token: guarded}
		l, err := Listen(access)
		if err != nil {
			t.Fatal(err)
		}
		a := New(Config{})
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, l, a, access) }()
		base := "http://" + l.Addr().String()
		if code, _ := get(t, base+"/healthz"); code != http.StatusServiceUnavailable {
			t.Errorf("health before the first look: %d", code)
		}
		a.Look(time.Now())
		if code, text := get(t, base+"/healthz"); code != http.StatusOK || text != "ok\n" {
			t.Errorf("health: %d %s", code, text)
		}
		code, text := get(t, base+"/metrics", "Authorization", "Bearer "+guarded)
		if code != http.StatusOK || !strings.Contains(text, "\ntorchleak_watch_errors_total ") || !strings.Contains(text, "process_cpu_seconds_total") {
			t.Errorf("metrics: %d %.300s", code, text)
		}
		if code, _ := get(t, base+"/metrics", "Host", "evil.example"); code != http.StatusForbidden {
			t.Errorf("under another host's name: %d", code)
		}
		if code, text := get(t, base+"/metrics", "Authorization", "Bearer wrong"); guarded != "" && (code != http.StatusUnauthorized || strings.Contains(text, "torchleak_")) {
			t.Errorf("with a wrong token: %d %s", code, text)
		}
		if code, _ := get(t, base+"/nothing", "Authorization", "Bearer "+guarded); code != http.StatusNotFound {
			t.Errorf("another path: %d", code)
		}
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
}

func TestListen(t *testing.T) {
	if _, err := Listen(Access{Address: "0.0.0.0:0"}); !errors.Is(err, ErrOpen) {
		t.Errorf("open to everyone: %v", err)
	}
	l, err := Listen(Access{Address: "0.0.0.0:0", Token: "0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(Access{Address: "127.0.0.1" + l.Addr().String()[len("[::]"):]}); l.Addr().(*net.TCPAddr).IP.IsLoopback() || !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a port that is taken: %v", err)
	}
}

// Not on loopback, any name is answered: that of the machine, of a service, of a proxy. On loopback only its own.
func TestNamesOfOthers(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, c := range []struct {
		host     string
		loopback bool
		want     int
	}{
		{"node7:9907", false, 204}, {"node7:9907", true, 403}, {"localhost:9907", true, 204},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Host = c.host
		guard(next, Access{}, c.loopback).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%q: %d, want %d", c.host, w.Code, c.want)
		}
	}
}

// By TLS, only those are answered who trust the certificate and send the token; who speaks plainly, or an older TLS, learns nothing.
func TestTLS(t *testing.T) {
	pair, trusted := certificate(t)
	access := Access{Address: "127.0.0.1:0", Token: "0123456789abcdef", TLS: &pair}
	l, err := Listen(access)
	if err != nil {
		t.Fatal(err)
	}
	a := New(Config{})
	a.Look(time.Now())
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, a, access) }()
	ask := func(scheme, token string, c *tls.Config) (int, error) {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: c}}
		defer client.CloseIdleConnections()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+l.Addr().String()+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	if code, err := ask("https", access.Token, &tls.Config{RootCAs: trusted}); code != http.StatusOK {
		t.Errorf("with the token: %d %v", code, err)
	}
	if code, err := ask("https", "wrong", &tls.Config{RootCAs: trusted}); code != http.StatusUnauthorized {
		t.Errorf("with a wrong token: %d %v", code, err)
	}
	if _, err := ask("https", access.Token, &tls.Config{}); err == nil {
		t.Error("a certificate that nobody vouches for is taken")
	}
	if _, err := ask("https", access.Token, &tls.Config{RootCAs: trusted, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if code, _ := ask("http", access.Token, nil); code == http.StatusOK {
		t.Error("it answers without TLS")
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// certificate makes one for 127.0.0.1 that vouches for itself.
func certificate(t *testing.T) (pair tls.Certificate, trusted *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, &about, &about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trusted = x509.NewCertPool()
	trusted.AddCert(made)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, trusted
}
